#include "certify/lineup.h"

#include <gmock/gmock.h>

#include <set>

#include "unit/certify/fake_worker.h"

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<FabricHost> fabric_of(int count) {
  std::vector<FabricHost> hosts;
  for (int i = 1; i <= count; ++i) {
    const std::string name = "n" + std::to_string(i);
    hosts.push_back({.name = name, .snapshot = sample_snapshot(name)});
  }
  return hosts;
}

Profile profile_for(const std::string& netdev) {
  Profile profile;
  profile.classes = {{.name = "rdma", .dscp = Dscp{26}}};
  profile.roles = {{.name = "compute", .match = {.netdev = netdev}, .classes = {"rdma"}}};
  return profile;
}

TEST(LineUp, EveryPairOfEveryRailMeetsOnce) {
  const Lineup lineup = line_up(fabric_of(5), nullptr);
  ASSERT_EQ(lineup.rails.size(), 2u);
  EXPECT_EQ(lineup.rails[0].rail, "198.18.0.0/24");
  EXPECT_EQ(lineup.rails[1].ends[2].netdev, "ens2np0");
  EXPECT_EQ(lineup.rounds(), 5u);
  EXPECT_EQ(lineup.pairs(), 20u);
  for (const RailLineup& rail : lineup.rails) {
    std::set<std::pair<size_t, size_t>> met;
    for (const Round& round : rail.rounds) {
      std::set<size_t> busy;
      for (const auto& [a, b] : round) {
        EXPECT_TRUE(busy.insert(a).second && busy.insert(b).second) << "no port twice in a round";
        EXPECT_TRUE(met.insert(std::minmax(a, b)).second);
      }
    }
    EXPECT_EQ(met.size(), 10u);
  }
}

TEST(LineUp, TakesTheClassAndItsMarkFromTheRole) {
  const Profile profile = profile_for("ens1*");
  const Lineup lineup = line_up(fabric_of(2), &profile);
  ASSERT_EQ(lineup.rails.size(), 1u) << "ports without a role take no part";
  EXPECT_EQ(lineup.rails[0].traffic_class, "rdma");
  EXPECT_EQ(lineup.rails[0].traffic_class_byte, 106u);
  EXPECT_THAT(lineup.left_out, IsEmpty());
}

TEST(LineUp, ChoosesTheRoutableGidOfTheRail) {
  auto hosts = fabric_of(2);
  Gid other = hosts[0].snapshot->ports[0].gids->at(1);
  other.index = 1;
  other.raw[12] = 10;  // 10.18.0.1: routable, of another network
  Gid version1 = hosts[0].snapshot->ports[0].gids->at(1);
  version1.index = 2;
  version1.type = GidType::kRoceV1;
  hosts[0].snapshot->ports[0].gids->push_back(other);
  hosts[0].snapshot->ports[0].gids->push_back(version1);
  const Lineup lineup = line_up(hosts, nullptr);
  EXPECT_EQ(lineup.rails[0].ends[0].gid, "198.18.0.1");
  EXPECT_EQ(lineup.rails[0].ends[0].gid_index, 3u);
}

TEST(LineUp, SaysWhyAPortIsLeftOut) {
  auto hosts = fabric_of(3);
  hosts[0].snapshot->ports[0].gids->resize(1);
  hosts[1].snapshot->ports[0].gids = gap(GapReason::kDenied, "gids");
  hosts[2].snapshot->ports[1].addresses.clear();
  const Lineup lineup = line_up(hosts, nullptr);
  EXPECT_THAT(lineup.left_out,
              ElementsAre(LeftOut{"n1", "ens1np0", "198.18.0.0/24", "no routable RoCE v2 GID"},
                          LeftOut{"n2", "ens1np0", "198.18.0.0/24", "its GIDs are not known: denied: gids"},
                          LeftOut{"n3", "ens2np0", "", "it belongs to no rail"},
                          LeftOut{"n3", "ens1np0", "198.18.0.0/24", "no other host has a port on this rail"}));
  EXPECT_EQ(lineup.pairs(), 1u);
}

TEST(LineUp, PortsOfOneHostDoNotMeet) {
  auto hosts = fabric_of(2);
  for (FabricHost& host : hosts) {
    for (Port& port : host.snapshot->ports) port.addresses[0].local.length = 15;
  }
  const Lineup lineup = line_up(hosts, nullptr);
  ASSERT_EQ(lineup.rails.size(), 1u);
  EXPECT_EQ(lineup.pairs(), 4u) << "of six pairs of four ports two are within a host";
}

TEST(LineUp, LostHostsTakeNoPart) {
  auto hosts = fabric_of(3);
  hosts[1].lost = Gap{GapReason::kTimedOut, "gone"};
  EXPECT_EQ(line_up(hosts, nullptr).pairs(), 2u);
}

TEST(WhyNothing, NamesWhatIsMissing) {
  std::vector<FabricHost> hosts = fabric_of(1);
  hosts.push_back({.name = "n2", .lost = Gap{GapReason::kUnreadable, "ssh exited with 255"}});
  EXPECT_EQ(why_nothing(hosts, line_up(hosts, nullptr)),
            "1 of 2 hosts answered, with 2 RoCE ports; n2: ssh exited with 255; "
            "n1 ens1np0: no other host has a port on this rail; n1 ens2np0: no other host has a port on this rail");
  const Profile profile = profile_for("eth*");
  hosts = fabric_of(2);
  EXPECT_THAT(why_nothing(hosts, line_up(hosts, &profile)), HasSubstr("no port has a role with a traffic class"));
}

}  // namespace
}  // namespace rocert
