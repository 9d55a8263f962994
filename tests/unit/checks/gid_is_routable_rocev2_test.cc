#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check gid_is_routable_rocev2;
namespace {

using samples::finding_on;
using samples::gid;

constexpr const char* kWanted = "a RoCE v2 GID with a routable address on the port's own netdev";

Snapshot with_gids(std::vector<Gid> gids) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].gids = std::move(gids);
  return snapshot;
}
Finding judged(const Snapshot& snapshot, const Profile* profile = nullptr) {
  return finding_on(samples::findings_of(gid_is_routable_rocev2, snapshot, profile), "ens1np0");
}

TEST(GidIsRoutableRocev2, PassesAtAnyIndex) {
  const Finding finding = judged(samples::good_snapshot());
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.seen, "GID 3: 198.18.0.11, RoCE v2, ens1np0");
  EXPECT_EQ(judged(with_gids({gid(0, "fe80::1", GidType::kRoceV2, "ens1np0"),
                              gid(255, "198.18.0.11", GidType::kRoceV2, "ens1np0")}))
                .verdict,
            Verdict::kPass);
}

TEST(GidIsRoutableRocev2, PrivateAddressesAndIpv6AreRoutable) {
  for (const char* text : {"10.77.9.21/24", "172.16.3.4/31", "100.64.0.9/32", "2001:db8:18::11/64", "fd00:18::b/128"}) {
    Snapshot snapshot = samples::good_snapshot();
    const Prefix address = samples::prefix(text);
    snapshot.ports[0].addresses = {samples::address(10, text)};
    snapshot.ports[0].gids = std::vector{gid(1, to_text(address.address), GidType::kRoceV2, "ens1np0")};
    samples::settle(snapshot);
    EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass) << text;
  }
}

TEST(GidIsRoutableRocev2, LinkLocalAloneFails) {
  const Finding finding =
      judged(with_gids({gid(0, "fe80::1", GidType::kRoceV1, "ens1np0"), gid(1, "fe80::1", GidType::kRoceV2, "ens1np0"),
                        gid(2, "169.254.12.9", GidType::kRoceV2, "ens1np0")}));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.wanted, kWanted);
  EXPECT_EQ(finding.says, "Link-local addresses are not routed, and libraries that look for a routable GID find none.");
  EXPECT_EQ(finding.evidence.size(), 3u);
}

TEST(GidIsRoutableRocev2, Version1AloneFails) {
  const Finding finding = judged(
      with_gids({gid(1, "fe80::1", GidType::kRoceV2, "ens1np0"), gid(2, "198.18.0.11", GidType::kRoceV1, "ens1np0")}));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "GID 2: 198.18.0.11, RoCE v1, ens1np0");
  EXPECT_EQ(finding.says,
            "RoCE v1 alone is not routed and carries no DSCP; libraries that ask for v2 find nothing to use.");
}

TEST(GidIsRoutableRocev2, AStaleAddressFails) {
  const Finding finding = judged(with_gids({gid(3, "198.18.0.99", GidType::kRoceV2, "ens1np0")}));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.says, "198.18.0.99 is no longer an address of ens1np0: packets with this GID get no answer.");
}

TEST(GidIsRoutableRocev2, TheGidOfAnotherNetdevFails) {
  const Finding finding = judged(with_gids({gid(3, "198.18.1.11", GidType::kRoceV2, "ens2np0")}));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.says,
            "The routable GIDs of mlx5_0 belong to another netdev than ens1np0: traffic would not leave by this port.");
}

TEST(GidIsRoutableRocev2, AnEmptyTableNamesTheNamespace) {
  const Finding finding = judged(with_gids({}));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "an empty GID table");
  EXPECT_EQ(finding.says,
            "mlx5_0 has no netdev with an address in this network namespace, so no queue pair can connect.");
}

TEST(GidIsRoutableRocev2, VlanAndBondDevicesAreThePortsOwn) {
  Snapshot vlan = with_gids({gid(5, "198.18.40.11", GidType::kRoceV2, "ens1np0.40")});
  vlan.links->push_back({.ifindex = 40, .name = "ens1np0.40", .type = 1, .kind = "vlan", .lower = 10, .vlan_id = 40});
  vlan.addresses->push_back(samples::address(40, "198.18.40.11/24"));
  EXPECT_EQ(judged(vlan).verdict, Verdict::kPass);

  Snapshot bond = with_gids({gid(5, "198.18.50.11", GidType::kRoceV2, "bond0")});
  bond.ports[0].link.master = 50;
  bond.links->at(2).master = 50;
  bond.links->push_back({.ifindex = 50, .name = "bond0", .type = 1, .kind = "bond"});
  bond.addresses->push_back(samples::address(50, "198.18.50.11/24"));
  EXPECT_EQ(judged(bond).verdict, Verdict::kPass);

  bond.links->back().kind = "bridge";
  EXPECT_EQ(judged(bond).verdict, Verdict::kFail) << "what a bridge carries is not this port's";
}

TEST(GidIsRoutableRocev2, ANetdevThatWasNotToldIsJudgedByItsAddress) {
  EXPECT_EQ(judged(with_gids({gid(3, "198.18.0.11", GidType::kRoceV2, "")})).verdict, Verdict::kPass);
  EXPECT_EQ(judged(with_gids({gid(3, "198.18.1.11", GidType::kRoceV2, "")})).verdict, Verdict::kFail);
}

TEST(GidIsRoutableRocev2, WithoutAProfileAPortThatNobodyAddressedIsAWarning) {
  Snapshot snapshot = with_gids({gid(1, "fe80::1", GidType::kRoceV2, "ens1np0")});
  snapshot.ports[0].addresses = {samples::address(10, "fe80::1/64")};
  samples::settle(snapshot);
  EXPECT_EQ(judged(snapshot).severity, Severity::kWarn);
  const Profile profile = samples::lossless_profile();
  EXPECT_EQ(judged(snapshot, &profile).severity, Severity::kError);
}

TEST(GidIsRoutableRocev2, GapsAreUnknown) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].gids = gap(GapReason::kDenied, "/sys/class/infiniband");
  const Finding finding = judged(snapshot);
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "denied: /sys/class/infiniband");

  Snapshot blind = with_gids({gid(5, "198.18.40.11", GidType::kRoceV2, "ens1np0.40")});
  blind.links = gap(GapReason::kTimedOut, "links");
  EXPECT_EQ(judged(blind).verdict, Verdict::kUnknown) << "it may be a VLAN of the port";
}

}  // namespace
}  // namespace rocert::checks
