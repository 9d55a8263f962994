#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check every_expected_port_is_present;
namespace {

using samples::finding_on;
using samples::findings_of;
using ::testing::ElementsAre;

Profile expecting(uint32_t count) {
  Profile profile = samples::lossless_profile();
  profile.roles[0].count = count;
  return profile;
}
Finding judged(const Snapshot& snapshot, const Profile& profile) {
  return finding_on(findings_of(every_expected_port_is_present, snapshot, &profile), "", "compute");
}

TEST(EveryExpectedPortIsPresent, PassesAtTheStatedCount) {
  const Finding finding = judged(samples::good_snapshot(), expecting(2));
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.seen, "2 ports (ens1np0, ens2np0)");
}

TEST(EveryExpectedPortIsPresent, AMissingPortIsNamedByItsRail) {
  Profile profile = expecting(2);
  profile.rails = {.by_prefix = false, .stated = true, .list = {{.netdev = "ens1np0"}, {.netdev = "ens2np0"}}};
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports.pop_back();
  const Finding finding = judged(snapshot, profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.seen, "1 port (ens1np0)");
  EXPECT_EQ(finding.wanted, "2 ports of role compute: driver mlx5_core");
  EXPECT_EQ(finding.says, "A job that counts on every port of this role runs short of bandwidth, or does not start.");
  EXPECT_THAT(finding.evidence, ElementsAre("no RoCE port is on rail 1 (netdev ens2np0)",
                                            "ens2np0 is there, without a RoCE device (link up)"));
}

TEST(EveryExpectedPortIsPresent, NamesWhatStandsInItsPlace) {
  Profile profile = expecting(2);
  profile.roles[0].match.netdev = "ens1*";
  Snapshot snapshot = samples::good_snapshot();
  snapshot.others = {{"eno1", DeviceKind::kManagement, "no RDMA device"},
                     {"mlx5_4/1", DeviceKind::kInfiniband, "link layer InfiniBand"},
                     {"iwp3/1", DeviceKind::kIwarp, "protocol iw"}};
  EXPECT_THAT(
      judged(snapshot, profile).evidence,
      ElementsAre("mlx5_4/1 is infiniband, not RoCE (link layer InfiniBand)", "iwp3/1 is iwarp, not RoCE (protocol iw)",
                  "ens2np0 (mlx5_1) is a RoCE port that no role matches"));
}

TEST(EveryExpectedPortIsPresent, NoneAtAllFailsWhereSomeAreExpected) {
  Snapshot snapshot = samples::good_snapshot({.ports = 0});
  const Finding finding = judged(snapshot, expecting(8));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "0 ports");
  snapshot.rdma_ports = gap(GapReason::kUnreadable, "nldev: EBUSY");
  EXPECT_EQ(judged(snapshot, expecting(8)).verdict, Verdict::kUnknown);
  EXPECT_EQ(judged(snapshot, expecting(8)).says, "unreadable: nldev: EBUSY");
}

TEST(EveryExpectedPortIsPresent, ZeroIsClean) {
  EXPECT_EQ(judged(samples::good_snapshot({.ports = 0}), expecting(0)).verdict, Verdict::kPass);
}

TEST(EveryExpectedPortIsPresent, MoreThanStatedIsWorthKnowing) {
  const Finding finding = judged(samples::good_snapshot({.ports = 3}), expecting(2));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kInfo);
}

TEST(EveryExpectedPortIsPresent, WithoutACountNothingIsExpected) {
  const Profile profile = samples::lossless_profile();
  const Finding some = findings_of(every_expected_port_is_present, samples::good_snapshot(), &profile).at(0);
  EXPECT_EQ(some.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(some.seen, "2 ports");
  EXPECT_EQ(some.says, "no role of the profile states a count");

  const Finding none = findings_of(every_expected_port_is_present, samples::good_snapshot({.ports = 0})).at(0);
  EXPECT_EQ(none.verdict, Verdict::kUnknown);
  EXPECT_EQ(none.says, "absent: no RoCE port, and no profile states how many there should be");
}

TEST(EveryExpectedPortIsPresent, ASlowLinkIsNamedByItsPort) {
  Profile profile = expecting(2);
  profile.roles[0].speed = Bandwidth{400e9};
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[1].members[0].link_modes->speed = 200000;
  const auto findings = findings_of(every_expected_port_is_present, snapshot, &profile);
  EXPECT_EQ(finding_on(findings, "", "compute").verdict, Verdict::kPass);
  EXPECT_EQ(finding_on(findings, "ens1np0", "speed").verdict, Verdict::kPass);
  const Finding slow = finding_on(findings, "ens2np0", "speed");
  EXPECT_EQ(slow.verdict, Verdict::kFail);
  EXPECT_EQ(slow.seen, "200G");
  EXPECT_EQ(slow.wanted, "400G");
  EXPECT_EQ(slow.says, "The link came up slower than the role's ports are: every collective waits for it.");
}

TEST(EveryExpectedPortIsPresent, TheMembersOfABondAddUp) {
  Profile profile = expecting(1);
  profile.roles[0].speed = Bandwidth{800e9};
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members.push_back(samples::good_member("slave1", 21, "0000:50:00.0", 400000));
  EXPECT_EQ(finding_on(findings_of(every_expected_port_is_present, snapshot, &profile), "ens1np0", "speed").verdict,
            Verdict::kPass);
}

TEST(EveryExpectedPortIsPresent, ASpeedThatIsNotToldIsUnknownUnlessThePortIsDown) {
  Profile profile = expecting(1);
  profile.roles[0].speed = Bandwidth{400e9};
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members[0].link_modes->speed.reset();
  EXPECT_EQ(finding_on(findings_of(every_expected_port_is_present, snapshot, &profile), "ens1np0", "speed").says,
            "absent: ens1np0 tells no speed");
  snapshot.ports[0].rdma.state = "down";
  EXPECT_EQ(findings_of(every_expected_port_is_present, snapshot, &profile).size(), 1u);
}

}  // namespace
}  // namespace rocert::checks
