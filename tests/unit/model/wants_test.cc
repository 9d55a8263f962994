#include "model/wants.h"

#include <gtest/gtest.h>

#include "unit/model/profile_keys.h"

namespace rocert {
namespace {

Address address(std::string_view text) {
  Address address;
  address.local = *parse_prefix(text);
  return address;
}

// A 400G ConnectX port "eth2" with two facts of everything that a match looks at.
Port port() {
  Port port;
  port.link.name = "eth2";
  port.rdma.device = "mlx5_2";
  port.rdma.driver = "mlx5_ib";
  port.addresses = {address("fe80::1/64"), address("198.18.2.7/24"), address("fd00:2::7/64")};
  Member member;
  member.netdev = "eth2";
  member.driver = DriverIdentity{"mlx5_core", "", "", ""};
  LinkModes modes;
  modes.speed = 400'000;
  member.link_modes = modes;
  port.members = {member};
  return port;
}

Match match(std::string_view yaml) {
  const auto profile =
      parse_profile("schema: rocert/profile/1\nrails: [" + std::string(yaml) + "]\n", "t", known_keys(), {});
  EXPECT_TRUE(profile) << to_text(profile.error());
  return profile ? profile->rails.list.at(0) : Match{};
}

Profile profile(std::string_view body) {
  auto profile = parse_profile("schema: rocert/profile/1\n" + std::string(body), "t", known_keys(), {});
  EXPECT_TRUE(profile) << to_text(profile.error());
  return profile ? *std::move(profile) : Profile{};
}

TEST(Matches, HoldsWhenEveryConditionHolds) {
  for (const char* yaml :
       {"{}", "{netdev: eth2}", "{netdev: \"eth[0-3]\"}", "{rdma: \"mlx5_*\"}", "{driver: mlx5_core}",
        "{rdma_driver: mlx5_ib}", "{speed: 400G}", "{speed: 0.4T}", "{prefix: 198.18.0.0/15}",
        "{prefix: \"fd00:2::/64\"}",
        "{netdev: \"*\", rdma: mlx5_2, driver: mlx5_core, rdma_driver: mlx5_ib, speed: 400G, prefix: 198.18.2.0/24}"}) {
    EXPECT_TRUE(matches(match(yaml), port())) << yaml;
  }
}

TEST(Matches, FailsWithAnyConditionThatDoesNot) {
  for (const char* yaml :
       {"{netdev: eth}", "{netdev: \"ens*\"}", "{rdma: mlx5_3}", "{driver: mlx5}", "{rdma_driver: rxe}",
        "{speed: 200G}", "{prefix: 198.19.0.0/24}", "{prefix: \"fd00:3::/64\"}", "{netdev: eth2, speed: 200G}",
        "{netdev: \"*\", rdma: mlx5_2, driver: mlx5_core, rdma_driver: mlx5_ib, speed: 400G, prefix: 198.18.3.0/24}"}) {
    EXPECT_FALSE(matches(match(yaml), port())) << yaml;
  }
}

TEST(Matches, LooksAtEveryMember) {
  Port bond = port();
  bond.link.name = "bond0";
  bond.members.push_back(bond.members[0]);
  bond.members[1].netdev = "eth3";
  EXPECT_TRUE(matches(match("{netdev: bond0}"), bond));
  EXPECT_TRUE(matches(match("{netdev: eth3}"), bond));
  EXPECT_FALSE(matches(match("{netdev: eth4}"), bond));
}

TEST(Matches, TakesTheDriverOfThePciFunction) {
  Port renamed = port();
  PciFunction pci;
  pci.driver = "bnxt_en";
  renamed.members[0].driver = gap(GapReason::kDenied, "");
  renamed.members[0].pci = pci;
  EXPECT_TRUE(matches(match("{driver: bnxt_en}"), renamed));
  EXPECT_FALSE(matches(match("{driver: mlx5_core}"), renamed));
}

TEST(Matches, NeverByAGap) {
  Port dark = port();
  dark.members[0].driver = gap(GapReason::kDenied, "");
  dark.members[0].link_modes = gap(GapReason::kNotSupported, "");
  EXPECT_FALSE(matches(match("{driver: mlx5_core}"), dark));
  EXPECT_FALSE(matches(match("{speed: 400G}"), dark));
  LinkModes unknown;
  dark.members[0].link_modes = unknown;
  EXPECT_FALSE(matches(match("{speed: 400G}"), dark));
  dark.members.clear();
  EXPECT_FALSE(matches(match("{driver: mlx5_core}"), dark));
  EXPECT_TRUE(matches(match("{netdev: eth2}"), dark));
}

const char* const kRoles = R"(
classes:
  rdma: {dscp: 26, priority: 3, lossless: true}
  storage: {dscp: 34, priority: 4, lossless: true}
  bulk: {dscp: 10, priority: 1}
roles:
  storage: {match: {netdev: "ens*"}, classes: [storage]}
  compute: {match: {driver: mlx5_core}, classes: [rdma, bulk, storage], speed: 400G, mtu: {at_least: 4192}}
settings: {link.mtu: unmanaged, sysctl.port.rp_filter: loose}
limits: {write_bw: {of_line: 0.9, at_least: 50M}, send_lat: {p99: 8us}}
)";

TEST(RoleOf, IsTheFirstThatMatches) {
  const Profile roles = profile(kRoles);
  ASSERT_NE(role_of(roles, port()), nullptr);
  EXPECT_EQ(role_of(roles, port())->name, "compute");
  Port storage = port();
  storage.link.name = "ens9";
  EXPECT_EQ(role_of(roles, storage)->name, "storage");
  EXPECT_EQ(role_of(Profile{}, port()), nullptr);
}

TEST(WantsOf, ResolvesTheRole) {
  const Profile roles = profile(kRoles);
  const Wants wants = wants_of(&roles, port());
  EXPECT_TRUE(wants.profile_given);
  EXPECT_TRUE(wants.stated());
  EXPECT_EQ(wants.role, "compute");
  ASSERT_EQ(wants.classes.size(), 3u);
  ASSERT_NE(wants.data_class(), nullptr);
  EXPECT_EQ(wants.data_class()->name, "rdma");
  EXPECT_EQ(wants.lossless(), (Bits{0x18, 8}));
  EXPECT_EQ(wants.mtu, (Between{4192, {}}));
  EXPECT_EQ(wants.speed, Bandwidth{400e9});
}

TEST(WantsOf, TellsUnmanagedFromStatedFromSilent) {
  const Profile roles = profile(kRoles);
  const Wants wants = wants_of(&roles, port());
  EXPECT_TRUE(wants.is_unmanaged("link.mtu"));
  EXPECT_EQ(wants.stated_value("link.mtu"), nullptr);
  EXPECT_FALSE(wants.is_unmanaged("sysctl.port.rp_filter"));
  ASSERT_NE(wants.stated_value("sysctl.port.rp_filter"), nullptr);
  EXPECT_EQ(*wants.stated_value("sysctl.port.rp_filter"), Value(std::string("loose")));
  EXPECT_FALSE(wants.is_unmanaged("dcb.pfc"));
  EXPECT_EQ(wants.stated_value("dcb.pfc"), nullptr);
}

TEST(WantsOf, GivesLimitsInTheirNaturalUnit) {
  const Profile roles = profile(kRoles);
  const Wants wants = wants_of(&roles);
  EXPECT_EQ(wants.limit("write_bw.of_line"), 0.9);
  EXPECT_EQ(wants.limit("write_bw.at_least"), 50e6) << "bits a second";
  EXPECT_EQ(wants.limit("send_lat.p99"), 8000.0) << "nanoseconds";
  EXPECT_EQ(wants.limit("send_lat.of_median"), std::nullopt);
}

TEST(WantsOf, AsksNothingOfAPortWithoutARole) {
  const Profile roles = profile(kRoles);
  Port other = port();
  other.members[0].driver = DriverIdentity{"bnxt_en", "", "", ""};
  const Wants wants = wants_of(&roles, other);
  EXPECT_TRUE(wants.profile_given);
  EXPECT_FALSE(wants.stated());
  EXPECT_TRUE(wants.classes.empty());
  EXPECT_EQ(wants.data_class(), nullptr);
  EXPECT_EQ(wants.mtu, std::nullopt);
  EXPECT_EQ(wants.stated_value("sysctl.port.rp_filter"), nullptr);
  EXPECT_EQ(wants.lossless(), (Bits{0, 8}));
}

TEST(WantsOf, AsksNothingWithoutAProfile) {
  for (const Wants& wants : {wants_of(nullptr, port()), wants_of(nullptr)}) {
    EXPECT_FALSE(wants.profile_given);
    EXPECT_FALSE(wants.stated());
    EXPECT_TRUE(wants.settings.empty());
    EXPECT_TRUE(wants.limits.empty());
  }
}

TEST(WantsOf, TheHostHasOverridesAndLimitsAlone) {
  const Profile roles = profile(kRoles);
  const Wants wants = wants_of(&roles);
  EXPECT_TRUE(wants.profile_given);
  EXPECT_FALSE(wants.stated());
  EXPECT_EQ(wants.settings.size(), 2u);
  EXPECT_EQ(wants.limits.size(), 3u);
}

Snapshot host(const std::vector<std::pair<std::string, std::vector<std::string>>>& ports) {
  Snapshot snapshot;
  for (const auto& [name, addresses] : ports) {
    Port port;
    port.link.name = name;
    for (const std::string& text : addresses) port.addresses.push_back(address(text));
    snapshot.ports.push_back(port);
  }
  return snapshot;
}

using ByNetdev = std::map<std::string, std::string>;

TEST(RailsOf, ByPrefixPortsThatShareOneFormARail) {
  const Snapshot snapshot = host({{"a", {"fe80::1/64", "fd00::1/64", "198.18.0.1/24"}},
                                  {"b", {"198.18.1.1/24"}},
                                  {"c", {"198.18.0.2/24"}},
                                  {"d", {"fd00:1::1/64", "fe80::2/64"}}});
  const ByNetdev wanted{{"a", "198.18.0.0/24"}, {"b", "198.18.1.0/24"}, {"c", "198.18.0.0/24"}, {"d", "fd00:1::/64"}};
  EXPECT_EQ(rails_of(Rails{}, snapshot), wanted);
}

TEST(RailsOf, ByPrefixTheOrderOfAddressesDoesNotMatter) {
  const ByNetdev wanted{{"a", "198.18.0.0/24"}};
  EXPECT_EQ(rails_of(Rails{}, host({{"a", {"198.18.9.1/24", "198.18.0.1/24"}}})), wanted);
  EXPECT_EQ(rails_of(Rails{}, host({{"a", {"198.18.0.1/24", "198.18.9.1/24"}}})), wanted);
}

TEST(RailsOf, APortWithoutASubnetIsLeftOut) {
  EXPECT_EQ(rails_of(Rails{}, host({{"a", {}},
                                    {"b", {"fe80::1/64", "169.254.1.1/16"}},
                                    {"c", {"198.18.0.1/32"}},
                                    {"d", {"fd00::1/128"}},
                                    {"e", {"127.0.0.1/8"}}})),
            ByNetdev{});
}

TEST(RailsOf, AsStatedARailIsItsPosition) {
  const Rails rails = profile("rails: [{netdev: b}, {prefix: 198.18.0.0/16}]\n").rails;
  const Snapshot snapshot = host({{"a", {"198.18.0.1/24"}}, {"b", {"198.18.1.1/24"}}, {"c", {"198.19.0.1/24"}}});
  EXPECT_EQ(rails_of(rails, snapshot), (ByNetdev{{"a", "1"}, {"b", "0"}}));
}

}  // namespace
}  // namespace rocert
