// What the door reads of real kernel objects equals what iproute2 says of them, and what it writes is there afterwards.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "host/linux_host.h"
#include "netns/objects.h"

namespace rocert {
namespace {

using nlohmann::json;

const std::map<std::string, uint32_t> kStates{{"PERMANENT", 128}, {"NOARP", 64}, {"REACHABLE", 2}, {"STALE", 4}};

TEST(Links, EqualWhatIpSays) {
  in_namespace([] {
    make_links();
    const auto host = open_linux_host();
    const auto links = ask(*host, Links{});
    const json theirs = ip_json("link show");
    ASSERT_EQ(links.size(), theirs.size());
    for (const json& their : theirs) {
      const std::string name = their["ifname"];
      SCOPED_TRACE(name);
      const auto found = std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == name; });
      ASSERT_NE(found, links.end());
      EXPECT_EQ(found->ifindex, their["ifindex"]);
      EXPECT_EQ(found->mtu, their["mtu"]);
      EXPECT_EQ(found->address, their["address"]);
      std::string operstate = their["operstate"];
      std::transform(operstate.begin(), operstate.end(), operstate.begin(), ::tolower);
      EXPECT_EQ(found->operstate, operstate);
      const auto flags = their["flags"].get<std::vector<std::string>>();
      EXPECT_EQ(found->admin_up, std::find(flags.begin(), flags.end(), "UP") != flags.end());
      EXPECT_EQ(found->kind, their.value("/linkinfo/info_kind"_json_pointer, ""));
      EXPECT_EQ(found->master,
                their.contains("master") ? std::optional(index_of(links, their["master"])) : std::nullopt);
      EXPECT_EQ(found->altnames, their.value("altnames", std::vector<std::string>{}));
    }
    const auto link = [&](const std::string& name) {
      return *std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == name; });
    };
    EXPECT_EQ(link("mv0").lower, index_of(links, "rail0"));
    EXPECT_EQ(link("vx0").lower, index_of(links, "rail0"));
    EXPECT_EQ(link("rail0").lower, std::nullopt);
    EXPECT_EQ(link("rail0").carrier, true);
    EXPECT_EQ(link("lo").type, 772);
    EXPECT_EQ(host->cost().netlink_requests, 1u);
  });
}

TEST(Addresses, EqualWhatIpSays) {
  in_namespace([] {
    make_links();
    const auto host = open_linux_host();
    std::map<std::string, Address> ours;
    for (const Address& address : ask(*host, Addresses{}))
      ours[std::to_string(address.ifindex) + " " + to_text(address.local)] = address;
    size_t count = 0;
    for (const json& link : ip_json("address show")) {
      for (const json& their : link["addr_info"]) {
        if (their.empty()) continue;
        ++count;
        const std::string local = std::string(their["local"]) + "/" + std::to_string(int(their["prefixlen"]));
        const std::string key = std::to_string(int(link["ifindex"])) + " " + local;
        SCOPED_TRACE(key);
        ASSERT_TRUE(ours.contains(key));
        EXPECT_EQ(ours[key].scope, numbered(their, "scope", kScopes, 0));
        EXPECT_EQ(ours[key].peer, their.contains("address") ? parse_ip(std::string(their["address"])) : std::nullopt);
      }
    }
    EXPECT_EQ(ours.size(), count);
    EXPECT_GT(count, 6u);
  });
}

TEST(Neighbours, EqualWhatIpSays) {
  in_namespace([] {
    make_links();
    const auto host = open_linux_host();
    const auto links = ask(*host, Links{});
    const Neighbour four{index_of(links, "rail0"), *parse_ip("198.18.0.9"), "02:00:00:00:00:09", 128, 0};
    const Neighbour six{index_of(links, "rail0"), *parse_ip("2001:db8:1::9"), "02:00:00:00:00:0a", 128, 0};
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(host->apply(AddNeighbour{four}));
      ASSERT_TRUE(host->apply(AddNeighbour{six}));
    }
    std::vector<std::string> ours;
    for (const Neighbour& n : ask(*host, Neighbours{})) {
      ours.push_back(std::to_string(n.ifindex) + " " + to_text(n.address) + " " + n.link_address + " " +
                     std::to_string(n.state));
    }
    std::vector<std::string> theirs;
    for (const json& n : ip_json("neigh show nud all")) {
      theirs.push_back(std::to_string(index_of(links, n["dev"])) + " " + std::string(n["dst"]) + " " +
                       n.value("lladdr", std::string()) + " " +
                       std::to_string(n["state"].empty() ? 0 : kStates.at(n["state"][0])));
    }
    EXPECT_THAT(ours, ::testing::UnorderedElementsAreArray(theirs));
    EXPECT_THAT(ours, ::testing::Contains(std::to_string(four.ifindex) + " 198.18.0.9 02:00:00:00:00:09 128"));
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(host->apply(RemoveNeighbour{four}));
    const auto left = ask(*host, Neighbours{});
    EXPECT_EQ(std::find(left.begin(), left.end(), four), left.end());
    EXPECT_FALSE(host->apply(AddNeighbour{{four.ifindex, four.address, "nonsense", 128, 0}}));
  });
}

TEST(Writes, MtuLinkAndAddressTake) {
  in_namespace([] {
    make_links();
    const auto host = open_linux_host();
    const auto links = ask(*host, Links{});
    const int rail0 = index_of(links, "rail0");
    const auto read = [&] {
      const auto now = ask(*host, Links{});
      return *std::find_if(now.begin(), now.end(), [&](const Link& l) { return l.ifindex == rail0; });
    };
    ASSERT_TRUE(host->apply(SetMtu{rail0, 9000}));
    EXPECT_EQ(read().mtu, 9000u);
    EXPECT_FALSE(host->apply(SetMtu{rail0, 10}));
    EXPECT_EQ(read().mtu, 9000u);
    ASSERT_TRUE(host->apply(SetLinkUp{rail0, false}));
    EXPECT_FALSE(read().admin_up);
    ASSERT_TRUE(host->apply(SetLinkUp{rail0, true}));
    EXPECT_TRUE(read().admin_up);

    Address address{rail0, *parse_prefix("198.51.100.1/24"), std::nullopt, 0, 0};
    const auto has = [&] {
      const auto now = ask(*host, Addresses{});
      return std::any_of(now.begin(), now.end(), [&](const Address& a) { return a.local == address.local; });
    };
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(host->apply(AddAddress{address}));
    EXPECT_TRUE(has());
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(host->apply(RemoveAddress{address}));
    EXPECT_FALSE(has());
  });
}

TEST(Sysctls, AreFilesOfTheNamespace) {
  in_namespace([] {
    make_links();
    const auto host = open_linux_host();
    const std::string path = "/proc/sys/net/ipv4/conf/rail0/arp_ignore";
    ASSERT_TRUE(host->write(path, "2"));
    EXPECT_EQ(host->read(path), "2\n");
    EXPECT_EQ(shell("sysctl -n net.ipv4.conf.rail0.arp_ignore"), "2\n");
    EXPECT_FALSE(host->write(path, "nonsense"));
    EXPECT_EQ(host->read("/proc/sys/net/ipv4/conf/absent/arp_ignore").error().reason, GapReason::kAbsent);
  });
}

TEST(Ethtool, ReadsAVeth) {
  in_namespace([] {
    make_links();
    const auto host = open_linux_host();
    const auto driver = host->get(DriverOf{"rail0"});
    ASSERT_TRUE(driver) << to_text(driver.error());
    EXPECT_EQ(driver->driver, "veth");
    const auto modes = host->get(LinkModesOf{"rail0"});
    ASSERT_TRUE(modes) << to_text(modes.error());
    EXPECT_EQ(modes->speed, 10000u);
    EXPECT_EQ(modes->link, true);
    const auto statistics = host->get(StatisticsOf{"rail0"});
    ASSERT_TRUE(statistics) << to_text(statistics.error());
    EXPECT_TRUE(statistics->contains("peer_ifindex"));
    EXPECT_EQ(host->get(PauseOf{"rail0"}).error().reason, GapReason::kNotSupported);
    EXPECT_EQ(host->get(FecOf{"rail0"}).error().reason, GapReason::kNotSupported);
    EXPECT_EQ(host->get(PrivateFlagsOf{"rail0"}).error().reason, GapReason::kNotSupported);
    EXPECT_EQ(host->get(DcbOf{"rail0"}).error().reason, GapReason::kNotSupported);
    EXPECT_FALSE(host->apply(SetPause{"rail0", false, true, true}));
    EXPECT_FALSE(host->apply(SetPfc{"rail0", Pfc{8, 8}}));
  });
}

}  // namespace
}  // namespace rocert
