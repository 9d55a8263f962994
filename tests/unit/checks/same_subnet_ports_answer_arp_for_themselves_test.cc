#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check same_subnet_ports_answer_arp_for_themselves;
namespace {

using ::testing::ElementsAre;

// Three ports in one /24, nothing done about ARP.
Snapshot flux() {
  Snapshot snapshot = samples::good_snapshot({.ports = 3});
  for (size_t i = 0; i < snapshot.ports.size(); ++i) {
    Port& port = snapshot.ports[i];
    port.addresses = {samples::address(port.link.ifindex, fmt::format("198.18.0.{}/24", 10 + i))};
    port.facts["sysctl.port.arp_ignore"] = "0";
  }
  samples::settle(snapshot);
  return snapshot;
}
Finding judged(const Snapshot& snapshot, const Profile* profile = nullptr) {
  const auto findings = samples::findings_of(same_subnet_ports_answer_arp_for_themselves, snapshot, profile);
  EXPECT_EQ(findings.size(), 1u) << "one a host, however many ports";
  return findings.at(0);
}

TEST(SameSubnetPortsAnswerArpForThemselves, PassesWithASubnetEach) {
  const Finding finding = judged(samples::good_snapshot({.ports = 8}));
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.seen, "no two RoCE ports share an IPv4 subnet");
}

TEST(SameSubnetPortsAnswerArpForThemselves, OneFindingNamesAllPorts) {
  const Finding finding = judged(flux());
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.subject.port, "");
  EXPECT_EQ(finding.seen, "one subnet for ens1np0 198.18.0.10/24, ens2np0 198.18.0.11/24, ens3np0 198.18.0.12/24");
  EXPECT_EQ(finding.wanted, "arp_ignore 1 or 2 in force on each, or arp_filter 1 with a source rule for each");
  EXPECT_EQ(finding.says,
            "Any of these ports may answer ARP for the address of another: peers learn one link-layer address for "
            "several, and one port carries the traffic of all.");
  EXPECT_THAT(finding.evidence, ElementsAre("ens1np0: arp_ignore 0, arp_filter 0 in force",
                                            "ens2np0: arp_ignore 0, arp_filter 0 in force",
                                            "ens3np0: arp_ignore 0, arp_filter 0 in force"));
}

TEST(SameSubnetPortsAnswerArpForThemselves, TheLargerOfAllAndThePortIsInForce) {
  for (const auto& [all, own, verdict] :
       std::vector<std::tuple<std::string, std::string, Verdict>>{{"0", "1", Verdict::kPass},
                                                                  {"1", "0", Verdict::kPass},
                                                                  {"2", "0", Verdict::kPass},
                                                                  {"0", "2", Verdict::kPass},
                                                                  {"0", "8", Verdict::kPass},
                                                                  {"3", "1", Verdict::kFail},
                                                                  {"0", "3", Verdict::kFail},
                                                                  {"0", "4", Verdict::kFail}}) {
    Snapshot snapshot = flux();
    snapshot.facts["sysctl.all.arp_ignore"] = all;
    for (Port& port : snapshot.ports) port.facts["sysctl.port.arp_ignore"] = own;
    EXPECT_EQ(judged(snapshot).verdict, verdict) << all << " " << own;
  }
}

TEST(SameSubnetPortsAnswerArpForThemselves, OnePortThatDoesNotIsEnough) {
  Snapshot snapshot = flux();
  snapshot.ports[0].facts["sysctl.port.arp_ignore"] = "1";
  snapshot.ports[2].facts["sysctl.port.arp_ignore"] = "2";
  EXPECT_THAT(judged(snapshot).evidence, ElementsAre("ens2np0: arp_ignore 0, arp_filter 0 in force"));
}

TEST(SameSubnetPortsAnswerArpForThemselves, TheFilterNeedsARulePerSource) {
  Snapshot snapshot = flux();
  snapshot.facts["sysctl.all.arp_filter"] = "1";
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kFail) << "the first port answers for all";
  for (const Port& port : snapshot.ports) {
    const uint32_t table = 100 + static_cast<uint32_t>(port.link.ifindex);
    snapshot.rules->push_back(samples::rule_from(to_text(port.addresses[0].local.address), 1000, table));
    snapshot.routes->push_back(samples::route("198.18.0.0/24", port.link.ifindex, {}, table));
  }
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass);
}

TEST(SameSubnetPortsAnswerArpForThemselves, PrefixesThatOverlapShareASubnet) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].addresses = {samples::address(10, "198.18.3.11/20")};
  snapshot.ports[1].addresses = {samples::address(11, "198.18.2.11/24")};
  for (Port& port : snapshot.ports) port.facts["sysctl.port.arp_ignore"] = "0";
  samples::settle(snapshot);
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kFail);
}

TEST(SameSubnetPortsAnswerArpForThemselves, ManagementAndOtherRolesDoNotCount) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].addresses = {samples::address(10, "192.0.2.77/24")};
  snapshot.ports[0].facts["sysctl.port.arp_ignore"] = "0";
  samples::settle(snapshot);
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass);

  Profile profile = samples::lossless_profile();
  profile.roles[0].match.netdev = "ens1*";
  EXPECT_EQ(judged(flux(), &profile).verdict, Verdict::kPass);
}

TEST(SameSubnetPortsAnswerArpForThemselves, PointToPointIpv6AndVrfsDoNotShare) {
  Snapshot snapshot = flux();
  snapshot.ports[0].addresses = {samples::address(10, "198.18.200.0/31")};
  snapshot.ports[1].addresses = {samples::address(11, "2001:db8::11/64")};
  snapshot.ports[2].addresses = {samples::address(12, "2001:db8::12/64"), samples::address(12, "198.18.200.1/32")};
  samples::settle(snapshot);
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass);

  Snapshot vrfs = flux();
  for (size_t i = 0; i < 3; ++i) vrfs.ports[i].link.master = 100 + static_cast<int>(i);
  samples::settle(vrfs);
  for (int i = 0; i < 3; ++i)
    vrfs.links->push_back({.ifindex = 100 + i,
                           .name = fmt::format("vrf{}", i),
                           .kind = "vrf",
                           .vrf_table = 10u + static_cast<uint32_t>(i)});
  EXPECT_EQ(judged(vrfs).verdict, Verdict::kPass);
}

TEST(SameSubnetPortsAnswerArpForThemselves, GapsAreUnknown) {
  Snapshot snapshot = flux();
  for (Port& port : snapshot.ports) port.facts["sysctl.port.arp_ignore"] = "1";
  snapshot.ports[1].facts["sysctl.port.arp_ignore"] = gap(GapReason::kNotRecorded, "arp_ignore");
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kUnknown);
  EXPECT_EQ(judged(snapshot).says, "not recorded: arp_ignore");
  snapshot.ports[0].facts["sysctl.port.arp_ignore"] = "0";
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kFail) << "one known fault is enough";
  snapshot.addresses = gap(GapReason::kTimedOut, "addresses");
  EXPECT_EQ(judged(snapshot).says, "timed out: addresses");
}

}  // namespace
}  // namespace rocert::checks
