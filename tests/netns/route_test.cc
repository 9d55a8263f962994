// Routes and rules: what the door reads equals what iproute2 says, and what it writes is there afterwards.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "host/linux_host.h"
#include "netns/objects.h"

namespace rocert {
namespace {

using nlohmann::json;

const std::map<std::string, uint32_t> kTables{{"default", 253}, {"main", 254}, {"local", 255}};
const std::map<std::string, uint32_t> kTypes{{"unicast", 1},   {"local", 2},     {"broadcast", 3},   {"anycast", 4},
                                             {"multicast", 5}, {"blackhole", 6}, {"unreachable", 7}, {"prohibit", 8}};
const std::map<std::string, uint32_t> kProtocols{{"kernel", 2}, {"boot", 3}, {"static", 4}, {"ra", 9}};

// A next hop without what the kernel computes.
std::string hop_text(int ifindex, const std::optional<IpAddress>& gateway, int weight) {
  return std::to_string(ifindex) + " via " + (gateway ? to_text(*gateway) : "-") + " weight " + std::to_string(weight);
}

std::string route_text(const Route& route) {
  std::string text = to_text(route.destination) + " table " + std::to_string(route.table) + " type " +
                     std::to_string(route.type) + " protocol " + std::to_string(route.protocol) + " metric " +
                     std::to_string(route.metric) + " scope " + std::to_string(route.scope) + " src " +
                     (route.preferred_source ? to_text(*route.preferred_source) : "-") + " mtu " +
                     std::to_string(route.mtu.value_or(0)) + " nhid " + std::to_string(route.nexthop_id.value_or(0));
  for (const NextHop& hop : route.next_hops) text += " | " + hop_text(hop.ifindex, hop.gateway, hop.weight);
  return text;
}

std::optional<IpAddress> gateway_of(const json& hop) {
  if (hop.contains("gateway")) return parse_ip(hop["gateway"].get<std::string>());
  if (hop.contains("via")) return parse_ip(hop["via"]["host"].get<std::string>());
  return std::nullopt;
}

// The same text from `ip -j`.
std::string route_text(const json& route, Family family, const std::vector<Link>& links) {
  std::string destination = route["dst"];
  if (destination == "default") destination = family == Family::kIpv4 ? "0.0.0.0/0" : "::/0";
  const uint32_t type = numbered(route, "type", kTypes, 1);
  const uint32_t mtu =
      route.contains("metrics") && route["metrics"][0].contains("mtu") ? route["metrics"][0]["mtu"].get<uint32_t>() : 0;
  std::string text =
      to_text(*parse_prefix(destination)) + " table " + std::to_string(numbered(route, "table", kTables, 254)) +
      " type " + std::to_string(type) + " protocol " + std::to_string(numbered(route, "protocol", kProtocols, 0)) +
      " metric " + std::to_string(route.value("metric", 0)) + " scope " +
      std::to_string(numbered(route, "scope", kScopes, 0)) + " src " + route.value("prefsrc", std::string("-")) +
      " mtu " + std::to_string(mtu) + " nhid " + std::to_string(route.value("nhid", 0));
  if (route.contains("nexthops")) {
    for (const json& hop : route["nexthops"])
      text += " | " + hop_text(index_of(links, hop["dev"]), gateway_of(hop), hop.value("weight", 1));
  } else if (route.contains("dev")) {
    text += " | " + hop_text(index_of(links, route["dev"]), gateway_of(route), 1);
  }
  return text;
}

TEST(Routes, EqualWhatIpSaysInEveryTable) {
  in_namespace([] {
    make_links();
    shell(
        "ip route add 203.0.113.0/24 table 1000 nexthop via 198.18.0.2 dev rail0 weight 3 nexthop via 198.19.0.2 dev "
        "storage");
    shell("ip route add 203.0.114.0/24 via 198.18.0.2 dev rail0 src 198.18.0.1 metric 50 mtu 4000");
    shell("ip route add 203.0.115.0/24 via inet6 2001:db8:1::2 dev rail0");
    shell("ip route add blackhole 203.0.116.0/24 table 70000");
    shell("ip route add default via 198.19.0.254 dev storage");
    shell("ip -6 route add 2001:db8:77::/48 nexthop via 2001:db8:1::2 dev rail0 nexthop via 2001:db8:2::2 dev storage");
    shell("ip -6 route add 2001:db8:78::/48 via 2001:db8:1::2 dev rail0 metric 7 table 1000");
    shell("ip -6 route add unreachable 2001:db8:79::/48");
    shell("ip nexthop add id 7 via 198.18.0.7 dev rail0");
    shell("ip route add 203.0.117.0/24 nhid 7");
    const auto host = open_linux_host();
    const auto links = ask(*host, Links{});
    std::vector<std::string> ours;
    for (const Route& route : ask(*host, Routes{})) ours.push_back(route_text(route));
    std::vector<std::string> theirs;
    for (const json& route : ip_json("-4 route show table all"))
      theirs.push_back(route_text(route, Family::kIpv4, links));
    for (const json& route : ip_json("-6 route show table all"))
      theirs.push_back(route_text(route, Family::kIpv6, links));
    EXPECT_THAT(ours, ::testing::UnorderedElementsAreArray(theirs));
    EXPECT_GT(ours.size(), 25u);
    EXPECT_EQ(host->cost().netlink_requests, 2u);
  });
}

TEST(Routes, AreAddedAndRemovedAsTheyAreRead) {
  in_namespace([] {
    make_links();
    const auto host = open_linux_host();
    const auto links = ask(*host, Links{});
    const int rail0 = index_of(links, "rail0");
    const int storage = index_of(links, "storage");
    std::vector<Route> wanted;
    const auto add = [&](const char* destination, uint32_t table, uint32_t metric, std::vector<NextHop> hops) {
      Route route;
      route.destination = *parse_prefix(destination);
      route.table = table;
      route.protocol = 4;
      route.metric = metric;
      route.next_hops = std::move(hops);
      wanted.push_back(std::move(route));
    };
    add("203.0.113.0/24", 1000, 0, {{rail0, parse_ip("198.18.0.2"), 3, 0}, {storage, parse_ip("198.19.0.2"), 1, 0}});
    add("203.0.114.0/24", 100000, 9, {{rail0, parse_ip("2001:db8:1::2"), 1, 0}});
    add("2001:db8:77::/48", 254, 7,
        {{rail0, parse_ip("2001:db8:1::2"), 1, 0}, {storage, parse_ip("2001:db8:2::2"), 1, 0}});
    wanted.back().mtu = 4000;
    add("203.0.115.0/24", 254, 0, {});
    wanted.back().type = 6;
    for (const Route& route : wanted) {
      const auto before = ask(*host, Routes{}).size();
      const std::string text = route_text(route);
      for (int i = 0; i < 2; ++i) {
        const auto added = host->apply(AddRoute{route});
        ASSERT_TRUE(added) << to_text(added.error());
      }
      const auto after = ask(*host, Routes{});
      EXPECT_EQ(after.size(), before + 1);
      EXPECT_TRUE(std::any_of(after.begin(), after.end(), [&](const Route& r) { return route_text(r) == text; }))
          << text << "\n"
          << shell("ip route show table all; ip -6 route show table all");
    }
    Route other = wanted[0];
    other.next_hops.pop_back();
    EXPECT_FALSE(host->apply(AddRoute{other})) << "another route in the same place must not be replaced";
    for (const Route& route : wanted) {
      for (int i = 0; i < 2; ++i) {
        const auto removed = host->apply(RemoveRoute{route});
        ASSERT_TRUE(removed) << route_text(route) << ": " << to_text(removed.error());
      }
    }
    EXPECT_EQ(ip_json("-4 route show table 1000").size(), 0u);
    EXPECT_EQ(ip_json("-6 route show 2001:db8:77::/48").size(), 0u);
  });
}

std::string rule_text(const json& rule, bool six) {
  std::string text = std::string(six ? "6" : "4") + " " + std::to_string(rule.value("priority", 0)) + " " +
                     (rule.contains("not") ? "not " : "");
  const auto prefix = [&](const char* key, const char* length) {
    if (!rule.contains(key) || rule[key] == "all") return std::string("all");
    const std::string address = rule[key];
    return rule.contains(length) ? address + "/" + std::to_string(int(rule[length])) : to_text(*parse_prefix(address));
  };
  text += "from " + prefix("src", "srclen") + " to " + prefix("dst", "dstlen") + " iif " +
          rule.value("iif", std::string()) + " oif " + rule.value("oif", std::string()) + " table " +
          std::to_string(numbered(rule, "table", kTables, 0)) + " mark " +
          std::to_string(numbered(rule, "fwmark", {}, 0)) + "/" + std::to_string(numbered(rule, "fwmask", {}, 0)) +
          " suppress " + std::to_string(rule.value("suppress_prefixlen", -1)) + " uids " +
          std::to_string(rule.value("uid_start", -1)) + "-" + std::to_string(rule.value("uid_end", -1)) + " dport " +
          std::to_string(rule.value("dport", rule.value("dport_start", -1))) + "-" +
          std::to_string(rule.value("dport", rule.value("dport_end", -1)));
  return text;
}

std::string rule_text(const Rule& rule) {
  const auto prefix = [](const std::optional<Prefix>& p) { return p ? to_text(*p) : std::string("all"); };
  const auto number = [](const auto& value) { return std::to_string(value ? static_cast<int64_t>(*value) : -1); };
  const auto first = [](const auto& pair) { return pair ? std::optional(pair->first) : std::nullopt; };
  const auto second = [](const auto& pair) { return pair ? std::optional(pair->second) : std::nullopt; };
  return std::string(rule.family == Family::kIpv6 ? "6" : "4") + " " + std::to_string(rule.priority) + " " +
         (rule.inverted ? "not " : "") + "from " + prefix(rule.source) + " to " + prefix(rule.destination) + " iif " +
         rule.in_interface + " oif " + rule.out_interface + " table " + std::to_string(rule.table) + " mark " +
         std::to_string(rule.mark.value_or(0)) + "/" +
         std::to_string(rule.mark && rule.mask != 0xffffffff ? rule.mask.value_or(0) : 0) + " suppress " +
         number(rule.suppress_prefix_length) + " uids " + number(first(rule.uids)) + "-" + number(second(rule.uids)) +
         " dport " + number(first(rule.destination_ports)) + "-" + number(second(rule.destination_ports));
}

TEST(Rules, EqualWhatIpSaysAndLoseNothing) {
  in_namespace([] {
    make_links();
    shell("ip rule add from 198.18.0.1 lookup 1000 pref 100");
    shell("ip rule add not to 203.0.113.0/24 iif rail0 oif storage lookup 100000 pref 101");
    shell("ip rule add lookup main suppress_prefixlength 0 pref 102");
    shell("ip rule add fwmark 0x10/0xff uidrange 1000-2000 lookup 1000 pref 103");
    shell("ip rule add ipproto udp dport 4791 lookup 1000 pref 104");
    shell("ip rule add ipproto tcp dport 1000-2000 lookup 1000 pref 105");
    shell("ip -6 rule add from 2001:db8:1::1 lookup 1000 pref 106");
    const auto host = open_linux_host();
    std::vector<std::string> ours;
    for (const Rule& rule : ask(*host, Rules{})) {
      ours.push_back(rule_text(rule));
      EXPECT_EQ(rule.unread, std::nullopt) << ours.back();
    }
    std::vector<std::string> theirs;
    for (const json& rule : ip_json("-4 rule show")) theirs.push_back(rule_text(rule, false));
    for (const json& rule : ip_json("-6 rule show")) theirs.push_back(rule_text(rule, true));
    EXPECT_THAT(ours, ::testing::UnorderedElementsAreArray(theirs));
    EXPECT_EQ(host->cost().netlink_requests, 1u);
  });
}

TEST(Rules, AreAddedAndRemovedAsTheyAreRead) {
  in_namespace([] {
    const auto host = open_linux_host();
    const auto before = ask(*host, Rules{});
    std::vector<Rule> wanted(4);
    wanted[0].priority = 100;
    wanted[0].source = parse_prefix("198.18.0.1/32");
    wanted[0].out_interface = "rail0";
    wanted[0].table = 1000;
    wanted[1].priority = 101;
    wanted[1].table = 254;
    wanted[1].suppress_prefix_length = 0;
    wanted[1].protocol = 4;
    wanted[2].family = Family::kIpv6;
    wanted[2].priority = 102;
    wanted[2].inverted = true;
    wanted[2].destination = parse_prefix("2001:db8::/32");
    wanted[2].table = 100000;
    wanted[2].uids = {{1, 2}};
    wanted[3].priority = 103;
    wanted[3].table = 1000;
    wanted[3].mark = 16;
    wanted[3].mask = 0xff;
    wanted[3].ip_protocol = 17;
    wanted[3].destination_ports = {{4791, 4791}};
    for (const Rule& rule : wanted) {
      for (int i = 0; i < 2; ++i) {
        const auto added = host->apply(AddRule{rule});
        ASSERT_TRUE(added) << rule_text(rule) << ": " << to_text(added.error());
      }
      const auto rules = ask(*host, Rules{});
      EXPECT_NE(std::find(rules.begin(), rules.end(), rule), rules.end()) << shell("ip rule show; ip -6 rule show");
    }
    EXPECT_EQ(ask(*host, Rules{}).size(), before.size() + wanted.size());
    for (const Rule& rule : wanted) {
      for (int i = 0; i < 2; ++i) {
        const auto removed = host->apply(RemoveRule{rule});
        ASSERT_TRUE(removed) << rule_text(rule) << ": " << to_text(removed.error());
      }
    }
    EXPECT_EQ(ask(*host, Rules{}), before);
  });
}

TEST(Rules, ADscpIsReadWhereTheKernelHasIt) {
  in_namespace([] {
    const auto host = open_linux_host();
    Rule rule;
    rule.priority = 100;
    rule.table = 1000;
    rule.dscp = 26;
    const auto added = host->apply(AddRule{rule});
    if (!added) GTEST_SKIP() << "no FRA_DSCP in this kernel: " << to_text(added.error());
    const auto rules = ask(*host, Rules{});
    EXPECT_NE(std::find(rules.begin(), rules.end(), rule), rules.end());
  });
}

}  // namespace
}  // namespace rocert
