#include "model/fib.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

IpAddress ip(std::string_view text) { return parse_ip(text).value(); }
Prefix prefix(std::string_view text) { return parse_prefix(text).value(); }

Route route(std::string_view to, int ifindex, uint32_t table = 254, std::string_view gateway = "") {
  Route made;
  made.destination = prefix(to);
  made.table = table;
  if (ifindex != 0) made.next_hops.push_back({.ifindex = ifindex});
  if (!gateway.empty()) made.next_hops.front().gateway = ip(gateway);
  return made;
}

Route blackhole(std::string_view to, uint8_t type = 6, uint32_t table = 254) {
  Route made = route(to, 0, table);
  made.type = type;
  return made;
}

Rule rule(uint32_t priority, uint32_t table, Family family = Family::kIpv4) {
  return {.family = family, .priority = priority, .table = table};
}

Rule from(uint32_t priority, std::string_view source, uint32_t table) {
  Rule made = rule(priority, table, ip(source).family);
  made.source = Prefix{ip(source), address_bits(ip(source).family)};
  return made;
}

// Two rails in one subnet, eth0 (2) and eth1 (3), with the rules every kernel starts with.
struct Net {
  std::vector<Rule> rules{rule(0, 255), rule(32766, 254), rule(32767, 253), rule(0, 255, Family::kIpv6),
                          rule(32766, 254, Family::kIpv6)};
  std::vector<Route> routes{route("198.18.0.0/24", 2), route("198.18.0.0/24", 3)};
  std::vector<Link> links{{.ifindex = 1, .name = "lo"}, {.ifindex = 2, .name = "eth0"}, {.ifindex = 3, .name = "eth1"}};
  std::vector<int> ignores_linkdown;

  FibResult ask(const Flow& flow) const { return lookup({rules, routes, links, ignores_linkdown}, flow); }
  FibResult ask(std::string_view to, std::string_view source = "", int oif = 0) const {
    Flow flow{.destination = ip(to), .out_ifindex = oif};
    if (!source.empty()) flow.source = ip(source);
    return ask(flow);
  }
};

// Device that a single-path answer leaves by; -1 blocked, -2 no entry, -3 several.
int device(const FibResult& result) {
  if (result.outcome == FibOutcome::kBlocked) return -1;
  if (result.outcome == FibOutcome::kNoEntry) return -2;
  return result.next_hops.size() == 1 ? result.next_hops.front().ifindex : -3;
}

TEST(Fib, EmptyWorldHasNoEntry) {
  const std::vector<Rule> rules;
  const std::vector<Route> routes;
  const std::vector<Link> links;
  EXPECT_EQ(lookup({rules, routes, links}, {.destination = ip("198.18.0.9")}).outcome, FibOutcome::kNoEntry);
}

TEST(Fib, FirstConnectedRouteCarriesAllUnlessOifSays) {
  const Net net;
  EXPECT_EQ(device(net.ask("198.18.0.9", "198.18.0.2")), 2);
  EXPECT_EQ(device(net.ask("198.18.0.9", "198.18.0.2", 3)), 3);
  EXPECT_EQ(net.ask("198.18.0.9").rule_priority, 32766u);
}

TEST(Fib, SourceRuleSendsEachAddressOutOfItsPort) {
  Net net;
  net.rules.push_back(from(1000, "198.18.0.1", 100));
  net.rules.push_back(from(1001, "198.18.0.2", 101));
  net.routes.push_back(route("198.18.0.0/24", 2, 100));
  net.routes.push_back(route("198.18.0.0/24", 3, 101));
  EXPECT_EQ(device(net.ask("198.18.0.9", "198.18.0.1")), 2);
  EXPECT_EQ(device(net.ask("198.18.0.9", "198.18.0.2")), 3);
  EXPECT_EQ(net.ask("198.18.0.9", "198.18.0.2").rule_priority, 1001u);
  EXPECT_EQ(device(net.ask("198.18.0.9")), 2) << "a source rule does not match a flow without a source";
}

TEST(Fib, LongestPrefixThenTosThenMetric) {
  Net net;
  net.routes = {route("0.0.0.0/0", 2), route("198.18.0.0/16", 3), route("198.18.5.0/24", 2)};
  net.routes[2].metric = 500;
  EXPECT_EQ(device(net.ask("198.18.5.1")), 2);
  EXPECT_EQ(device(net.ask("198.18.6.1")), 3);
  EXPECT_EQ(device(net.ask("203.0.113.1")), 2);

  net.routes = {route("198.18.0.0/24", 2), route("198.18.0.0/24", 3)};
  net.routes[0].metric = 20;
  net.routes[1].metric = 10;
  EXPECT_EQ(device(net.ask("198.18.0.1")), 3);
  net.routes[0].tos = 0x10;
  EXPECT_EQ(device(net.ask({.destination = ip("198.18.0.1"), .tos = 0x12})), 2);
  EXPECT_EQ(device(net.ask({.destination = ip("198.18.0.1"), .tos = 0x08})), 3);
}

TEST(Fib, OifPassesOverOtherDevicesDownToShorterPrefixes) {
  Net net;
  net.routes = {route("198.18.5.0/24", 2), route("0.0.0.0/0", 3)};
  EXPECT_EQ(device(net.ask("198.18.5.1", "", 3)), 3);
  net.routes.pop_back();
  EXPECT_EQ(device(net.ask("198.18.5.1", "", 3)), -2);
}

TEST(Fib, BlackholeStopsThrowGoesOn) {
  for (const uint8_t type : {uint8_t{6}, uint8_t{7}, uint8_t{8}}) {
    Net net;
    net.routes.push_back(blackhole("198.18.0.0/25", type));
    EXPECT_EQ(device(net.ask("198.18.0.1")), -1);
    EXPECT_EQ(net.ask("198.18.0.1").route.type, type);
    EXPECT_EQ(device(net.ask("198.18.0.200")), 2);
  }
  Net net;
  net.rules.push_back(rule(500, 77));
  net.routes.push_back(blackhole("198.18.0.0/24", 9, 77));
  EXPECT_EQ(device(net.ask("198.18.0.1")), 2);
}

TEST(Fib, LocalTableComesFirst) {
  Net net;
  Route local = route("198.18.0.1/32", 2, 255);
  local.type = 2;
  net.routes.push_back(local);
  EXPECT_EQ(net.ask("198.18.0.1").route.type, 2);
  EXPECT_EQ(net.ask("198.18.0.1", "", 3).route.type, 1) << "an oif elsewhere passes over the local entry";
}

TEST(Fib, MultipathGivesAllUsableHops) {
  Net net;
  net.routes = {route("0.0.0.0/0", 2, 254, "198.18.0.254")};
  net.routes[0].next_hops.push_back({.ifindex = 3, .gateway = ip("198.18.1.254"), .weight = 1});
  EXPECT_EQ(net.ask("203.0.113.1").next_hops.size(), 2u);
  EXPECT_EQ(device(net.ask("203.0.113.1", "", 3)), 3);
  net.routes[0].next_hops[0].flags = 1;
  EXPECT_EQ(device(net.ask("203.0.113.1")), 3) << "a dead hop is none";
  net.routes[0].next_hops[1].flags = 16;
  EXPECT_EQ(device(net.ask("203.0.113.1")), 3) << "a hop without carrier is used unless the sysctl says otherwise";
  net.ignores_linkdown = {3};
  EXPECT_EQ(device(net.ask("203.0.113.1")), -2);
}

TEST(Fib, SingleHopCarriesItsFlagsOnTheRoute) {
  Net net;
  net.routes[0].flags = 1;
  EXPECT_EQ(device(net.ask("198.18.0.9")), 3);
  net.routes[1].flags = 0x200;  // a cached copy
  EXPECT_EQ(device(net.ask("198.18.0.9")), -2);
}

TEST(Fib, RulesMatchByEverySelector) {
  struct Case {
    const char* name;
    Rule rule;
    Flow hit;
    Flow miss;
  };
  const Flow plain{.destination = ip("198.18.0.9"), .source = ip("198.18.0.1")};
  const auto with = [&](auto change) {
    Flow flow = plain;
    change(flow);
    return flow;
  };
  const auto made = [](auto change) {
    Rule result = rule(10, 77);
    change(result);
    return result;
  };
  const std::vector<Case> cases{
      {"destination", made([](Rule& r) { r.destination = prefix("198.18.0.8/30"); }), plain,
       with([](Flow& f) { f.destination = ip("198.18.0.12"); })},
      {"not from", made([](Rule& r) { r.source = prefix("198.18.0.2/32"), r.inverted = true; }), plain,
       with([](Flow& f) { f.source = ip("198.18.0.2"); })},
      {"oif", made([](Rule& r) { r.out_interface = "eth1"; }), with([](Flow& f) { f.out_ifindex = 3; }), plain},
      {"iif", made([](Rule& r) { r.in_interface = "eth1"; }), with([](Flow& f) { f.in_ifindex = 3; }), plain},
      {"iif lo", made([](Rule& r) { r.in_interface = "lo"; }), plain, with([](Flow& f) { f.in_ifindex = 3; })},
      {"not an unknown device", made([](Rule& r) { r.out_interface = "gone", r.inverted = true; }), plain,
       with([](Flow& f) { f.destination = ip("203.0.113.1"); })},
      {"mark", made([](Rule& r) { r.mark = 5; }), with([](Flow& f) { f.mark = 5; }), with([](Flow& f) { f.mark = 7; })},
      {"masked mark", made([](Rule& r) { r.mark = 1, r.mask = 1; }), with([](Flow& f) { f.mark = 7; }), plain},
      {"tos", made([](Rule& r) { r.tos = 0x10; }), with([](Flow& f) { f.tos = 0x72; }), plain},
      {"dscp", made([](Rule& r) { r.dscp = 26; }), with([](Flow& f) { f.tos = 106; }),
       with([](Flow& f) { f.tos = 96; })},
      {"protocol", made([](Rule& r) { r.ip_protocol = 17; }), with([](Flow& f) { f.ip_protocol = 17; }), plain},
      {"port", made([](Rule& r) { r.destination_ports = {4791, 4791}; }),
       with([](Flow& f) { f.destination_port = 4791; }), plain},
      {"uid", made([](Rule& r) { r.uids = {1000, 2000}; }), with([](Flow& f) { f.uid = 1000; }), plain},
  };
  for (const Case& one : cases) {
    Net net;
    net.rules.push_back(one.rule);
    net.routes = {blackhole("198.18.0.9/32", 6, 77), route("198.18.0.0/24", 2), route("198.18.0.0/24", 3),
                  route("203.0.113.0/24", 2)};
    EXPECT_EQ(net.ask(one.hit).outcome, FibOutcome::kBlocked) << one.name;
    EXPECT_EQ(net.ask(one.miss).outcome, FibOutcome::kRoute) << one.name;
  }
}

TEST(Fib, RuleActions) {
  Net net;
  net.rules.push_back(rule(10, 0));
  for (const uint8_t action : {uint8_t{6}, uint8_t{7}, uint8_t{8}}) {
    net.rules.back().action = action;
    EXPECT_EQ(device(net.ask("198.18.0.9")), -1);
    EXPECT_EQ(net.ask("198.18.0.9").rule_priority, 10u);
  }
  net.rules.back().action = 3;
  EXPECT_EQ(device(net.ask("198.18.0.9")), 2) << "nop";
  net.rules.back().action = 2;
  net.rules.back().go_to = 40000;
  EXPECT_EQ(device(net.ask("198.18.0.9")), 2) << "an unresolved goto is a nop";
  net.rules.back().go_to = 32767;
  EXPECT_EQ(device(net.ask("198.18.0.9")), -2) << "goto skips main";
  net.rules.back().go_to = 10;
  EXPECT_EQ(device(net.ask("198.18.0.9")), 2) << "a goto to itself does not loop";
}

TEST(Fib, ARuleThatIsNotWhollyReadLeavesItOpen) {
  Net net;
  net.rules.push_back(from(10, "198.18.0.1", 254));
  net.rules.back().unread = std::vector<uint16_t>{30};
  EXPECT_EQ(net.ask("198.18.0.9", "198.18.0.1").outcome, FibOutcome::kUnknown);
  EXPECT_EQ(net.ask("198.18.0.9", "198.18.0.1").rule_priority, 10u);
  EXPECT_EQ(device(net.ask("198.18.0.9", "198.18.0.2")), 2) << "what is read rules it out";
  EXPECT_EQ(net.ask("203.0.113.1", "198.18.0.1").outcome, FibOutcome::kNoEntry) << "its table holds no answer anyway";
  net.rules.back().inverted = true;
  EXPECT_EQ(net.ask("198.18.0.9", "198.18.0.1").outcome, FibOutcome::kUnknown);
  EXPECT_EQ(net.ask("198.18.0.9", "198.18.0.2").rule_priority, 10u) << "not, of what is ruled out";
  net.rules.back().action = 2;
  net.rules.back().go_to = 32767;
  EXPECT_EQ(net.ask("198.18.0.9", "198.18.0.1").outcome, FibOutcome::kUnknown);
  net.rules.back().action = 3;
  EXPECT_EQ(device(net.ask("198.18.0.9", "198.18.0.1")), 2) << "a nop either way";
}

TEST(Fib, SuppressIgnoresShortPrefixesAndGroups) {
  Net net;
  net.routes = {route("0.0.0.0/0", 2), route("198.18.0.0/24", 2), route("0.0.0.0/0", 3, 77)};
  net.rules = {rule(10, 254), rule(20, 77)};
  net.rules[0].suppress_prefix_length = 0;
  EXPECT_EQ(device(net.ask("203.0.113.1")), 3);
  EXPECT_EQ(device(net.ask("198.18.0.1")), 2);
  net.rules[0].suppress_group = 9;
  EXPECT_EQ(device(net.ask("198.18.0.1")), 2);
  net.links[1].group = 9;
  EXPECT_EQ(device(net.ask("198.18.0.1")), 3);
}

TEST(Fib, VrfTakesItsDevicesToItsTable) {
  Net net;
  net.links.push_back({.ifindex = 9, .name = "red", .kind = "vrf", .vrf_table = 90});
  net.links[2].master = 9;
  net.routes = {route("198.18.0.0/24", 2), route("198.18.0.0/24", 3, 90)};
  net.rules.push_back({.priority = 1000, .l3mdev = true});
  EXPECT_EQ(device(net.ask("198.18.0.1")), 2);
  EXPECT_EQ(device(net.ask("198.18.0.1", "", 3)), 3);
  EXPECT_EQ(device(net.ask("198.18.0.1", "", 9)), 3) << "the VRF as oif stands for its table";
  EXPECT_EQ(device(net.ask({.destination = ip("198.18.0.1"), .in_ifindex = 3})), 3);
  net.rules.back() = rule(1000, 90);
  net.rules.back().out_interface = "red";
  EXPECT_EQ(device(net.ask("198.18.0.1", "", 3)), 3);
  EXPECT_EQ(device(net.ask({.destination = ip("198.18.0.1"), .in_ifindex = 3})), 2);
}

struct Net6 : Net {
  Net6() { routes = {route("fd00::/64", 2), route("fd00::/64", 3)}; }
};

TEST(Fib6, OifIsAPreferenceWithASourceAndStrictWithout) {
  Net6 net;
  EXPECT_EQ(device(net.ask("fd00::9")), 2);
  EXPECT_EQ(device(net.ask("fd00::9", "fd00::2", 3)), 3);
  net.routes.pop_back();
  EXPECT_EQ(device(net.ask("fd00::9", "fd00::2", 3)), 2) << "leaves by another device";
  EXPECT_EQ(device(net.ask("fd00::9", "", 3)), -2);
  net.routes.push_back(route("fe80::/64", 2));
  EXPECT_EQ(device(net.ask("fe80::9", "fe80::1", 3)), -2) << "link-local is strict";
}

TEST(Fib6, LowestMetricFirstThenBestOfTheRest) {
  Net6 net;
  net.routes[0].metric = 1024;
  net.routes[1].metric = 256;
  EXPECT_EQ(device(net.ask("fd00::9", "fd00::2", 2)), 3) << "preference does not outrank metric";
  EXPECT_EQ(device(net.ask("fd00::9", "", 2)), 2);
  net.routes[1].next_hops[0].flags = 1;
  net.routes.push_back(route("fd00::/64", 3));
  net.routes[2].metric = 2048;
  EXPECT_EQ(device(net.ask("fd00::9", "fd00::2", 3)), 3) << "beyond the lowest metric the score decides";
}

TEST(Fib6, RouterPreferenceDecidesBetweenEqualMetrics) {
  Net6 net;
  net.routes[0].preference = 3;  // low
  EXPECT_EQ(device(net.ask("fd00::9")), 3);
  net.routes[0].preference = 1;  // high
  EXPECT_EQ(device(net.ask("fd00::9", "fd00::2", 3)), 2);
}

TEST(Fib6, BlockingRoutesHangOnLoopback) {
  Net6 net;
  net.routes.push_back(blackhole("fd00::9/128"));
  EXPECT_EQ(device(net.ask("fd00::9")), -1);
  EXPECT_EQ(device(net.ask("fd00::9", "fd00::2", 3)), -1);
  EXPECT_EQ(device(net.ask("fd00::9", "", 3)), 3) << "a strict oif passes over it";
  net.routes.back().type = 9;
  net.routes.back().table = 77;
  net.rules.push_back(rule(5, 77, Family::kIpv6));
  EXPECT_EQ(device(net.ask("fd00::9")), 2);
}

TEST(Fib6, SourceSpecificRouteWinsForItsSource) {
  Net6 net;
  net.routes.push_back(route("fd00::/64", 3));
  net.routes.back().source = prefix("fd00::3/128");
  EXPECT_EQ(device(net.ask("fd00::9", "fd00::3")), 3);
  EXPECT_EQ(device(net.ask("fd00::9", "fd00::2")), 2);
  EXPECT_EQ(device(net.ask("fd00::9")), 2);
}

TEST(Fib6, MultipathKeepsHopsThatTheDeviceAllows) {
  Net6 net;
  net.routes = {route("::/0", 2, 254, "fd00::fe")};
  net.routes[0].next_hops.push_back({.ifindex = 3, .gateway = ip("fd00::fd")});
  EXPECT_EQ(net.ask("2001:db8::1", "fd00::2", 3).next_hops.size(), 2u);
  EXPECT_EQ(device(net.ask("2001:db8::1", "", 3)), 3);
}

TEST(Fib, FamiliesDoNotMix) {
  Net net;
  net.rules = {rule(10, 254, Family::kIpv6)};
  EXPECT_EQ(device(net.ask("198.18.0.9")), -2);
}

}  // namespace
}  // namespace rocert
