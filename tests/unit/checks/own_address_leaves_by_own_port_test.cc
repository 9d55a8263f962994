#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check own_address_leaves_by_own_port;
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Finding judged(const Snapshot& snapshot, const std::string& netdev) {
  const auto findings = samples::findings_of(own_address_leaves_by_own_port, snapshot);
  EXPECT_EQ(findings.size(), snapshot.ports.size()) << "one a port";
  return samples::finding_on(findings, netdev);
}

void set_address(Snapshot& snapshot, size_t port, std::string_view text) {
  snapshot.ports[port].addresses = {samples::address(snapshot.ports[port].link.ifindex, text)};
}

// Four rails, each behind its own leaf; source rules and tables for all but ens3np0, whose table no rule leads to.
Snapshot routed_rails() {
  Snapshot snapshot = samples::good_snapshot({.ports = 4});
  for (size_t i = 0; i < 4; ++i) set_address(snapshot, i, fmt::format("198.18.{}.11/26", i));
  samples::settle(snapshot);
  for (uint32_t i = 0; i < 4; ++i) {
    const int ifindex = samples::kFirstPortIfindex + static_cast<int>(i);
    snapshot.routes->push_back(samples::route("0.0.0.0/0", ifindex, fmt::format("198.18.{}.1", i), 100 + i));
    if (i != 2) snapshot.rules->push_back(samples::rule_from(fmt::format("198.18.{}.11", i), 32761 + i, 100 + i));
  }
  snapshot.routes->push_back(samples::route("198.18.0.0/16", 10, "198.18.0.1"));
  return snapshot;
}

TEST(OwnAddressLeavesByOwnPort, PassesWithASubnetEach) {
  const Finding finding = judged(samples::good_snapshot({.ports = 8}), "ens5np0");
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.seen, "by ens5np0");
}

TEST(OwnAddressLeavesByOwnPort, ATableThatNoRuleLeadsToIsAnError) {
  const Snapshot snapshot = routed_rails();
  for (const char* good : {"ens1np0", "ens2np0", "ens4np0"})
    EXPECT_EQ(judged(snapshot, good).verdict, Verdict::kPass) << good << ": " << judged(snapshot, good).seen;
  const Finding finding = judged(snapshot, "ens3np0");
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.wanted, "by ens3np0");
  EXPECT_THAT(finding.seen, HasSubstr("198.18.2.11 to "));
  EXPECT_THAT(finding.seen, HasSubstr(": no route"));
  EXPECT_EQ(
      finding.says,
      "The port has a route to 0.0.0.0/0, and no rule leads to it from 198.18.2.11: queue pairs to there ask for the "
      "peer by ARP on the link and time out.");
  EXPECT_THAT(finding.evidence.at(0), HasSubstr(" from 198.18.2.11 oif ens3np0: no route"));
}

TEST(OwnAddressLeavesByOwnPort, ARuleByPrefixIsAsGood) {
  Snapshot snapshot = routed_rails();
  snapshot.rules->push_back(samples::rule_from("198.18.2.0/26", 500, 102));
  EXPECT_EQ(judged(snapshot, "ens3np0").verdict, Verdict::kPass);
}

TEST(OwnAddressLeavesByOwnPort, SocketsThatLeaveByAnotherPortAreAWarning) {
  Snapshot snapshot = samples::good_snapshot();
  set_address(snapshot, 0, "198.18.0.10/24");
  set_address(snapshot, 1, "198.18.0.11/24");
  samples::settle(snapshot);
  EXPECT_EQ(judged(snapshot, "ens1np0").verdict, Verdict::kPass);
  const Finding finding = judged(snapshot, "ens2np0");
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kWarn);
  EXPECT_EQ(finding.seen, "198.18.0.11 to 198.18.0.1: by ens1np0 (rule 32766, table 254, route 198.18.0.0/24)");
  EXPECT_EQ(
      finding.says,
      "RDMA leaves by ens2np0, but sockets bound to 198.18.0.11 do not: bootstrap and rdma_cm traffic of this rail "
      "takes another port.");
  EXPECT_THAT(finding.evidence, ElementsAre("198.18.0.1 from 198.18.0.11: by ens1np0 (rule 32766, table 254, route "
                                            "198.18.0.0/24)"));
}

TEST(OwnAddressLeavesByOwnPort, ADefaultRouteOfTheManagementPortIsNoFault) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.routes->push_back(samples::route("0.0.0.0/0", 10, "198.18.0.1"));
  snapshot.routes->back().metric = 200;
  EXPECT_EQ(judged(snapshot, "ens1np0").verdict, Verdict::kPass);
}

TEST(OwnAddressLeavesByOwnPort, Ipv4WithoutARouteIsStillOnLinkForVerbs) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  std::erase_if(*snapshot.routes, [](const Route& r) { return r.destination.length != 32; });
  const Finding finding = judged(snapshot, "ens1np0");
  EXPECT_EQ(finding.severity, Severity::kWarn);
  EXPECT_EQ(finding.seen, "198.18.0.11 to 198.18.0.1: no route");
}

TEST(OwnAddressLeavesByOwnPort, Ipv6WithoutARouteIsAnError) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  set_address(snapshot, 0, "2001:db8:18::11/64");
  samples::settle(snapshot);
  EXPECT_EQ(judged(snapshot, "ens1np0").verdict, Verdict::kPass);
  std::erase_if(*snapshot.routes, [](const Route& r) { return r.destination.length == 64; });
  const Finding finding = judged(snapshot, "ens1np0");
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.says, "Queue pairs from 2001:db8:18::11 to its own subnet cannot be connected.");
}

TEST(OwnAddressLeavesByOwnPort, ABlockedDestinationIsNamed) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  set_address(snapshot, 0, "2001:db8:18::11/64");
  samples::settle(snapshot);
  Rule blocked = samples::rule_from("2001:db8:18::11/128", 10, 0);
  blocked.action = 8;
  snapshot.rules->push_back(blocked);
  EXPECT_THAT(judged(snapshot, "ens1np0").seen, HasSubstr("refused (rule 10"));
}

TEST(OwnAddressLeavesByOwnPort, PointToPointLinksAndVrfsPass) {
  Snapshot snapshot = samples::good_snapshot({.ports = 3});
  set_address(snapshot, 0, "198.18.200.0/31");
  set_address(snapshot, 1, "198.18.200.2/31");
  set_address(snapshot, 2, "198.18.210.11/32");
  snapshot.ports[2].link.master = 99;
  samples::settle(snapshot);
  snapshot.links->push_back({.ifindex = 99, .name = "vrf-r2", .kind = "vrf", .vrf_table = 1002});
  snapshot.rules->push_back({.family = Family::kIpv4, .priority = 1000, .l3mdev = true});
  snapshot.routes->push_back(samples::route("198.18.201.0/24", 10, "198.18.200.1"));
  snapshot.routes->push_back(samples::route("198.18.202.0/24", 11, "198.18.200.3"));
  snapshot.routes->push_back(samples::route("198.18.210.0/24", 12, "198.18.211.1", 1002));
  for (const char* netdev : {"ens1np0", "ens2np0", "ens3np0"})
    EXPECT_EQ(judged(snapshot, netdev).verdict, Verdict::kPass) << netdev << ": " << judged(snapshot, netdev).seen;
}

TEST(OwnAddressLeavesByOwnPort, ASingleAddressWithoutRoutesHasNobodyToAskAbout) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  set_address(snapshot, 0, "198.18.210.11/32");
  samples::settle(snapshot);
  EXPECT_EQ(judged(snapshot, "ens1np0").says, "no address of the port has a peer on link or a route through a gateway");
}

TEST(OwnAddressLeavesByOwnPort, APortThatIsNotActiveIsNotAsked) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].rdma.state = "down";
  EXPECT_EQ(judged(snapshot, "ens1np0").verdict, Verdict::kNotApplicable);
}

TEST(OwnAddressLeavesByOwnPort, GapsAreUnknown) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.rules = gap(GapReason::kNotRecorded, "kernel/rules.json");
  EXPECT_EQ(judged(snapshot, "ens1np0").verdict, Verdict::kUnknown);
  EXPECT_EQ(judged(snapshot, "ens1np0").says, "not recorded: kernel/rules.json");
  snapshot.routes = gap(GapReason::kTimedOut, "routes");
  EXPECT_EQ(judged(snapshot, "ens1np0").says, "timed out: routes");
}

}  // namespace
}  // namespace rocert::checks
