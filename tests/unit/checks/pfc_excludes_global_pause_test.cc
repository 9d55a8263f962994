#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check pfc_excludes_global_pause;
namespace {

Snapshot pausing(bool rx, bool tx) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members[0].pause = Pause{.rx = rx, .tx = tx};
  return snapshot;
}
Member& member(Snapshot& snapshot) { return snapshot.ports[0].members[0]; }
Finding judged(const Snapshot& snapshot) { return samples::findings_of(pfc_excludes_global_pause, snapshot).at(0); }

TEST(PfcExcludesGlobalPause, PassesWithEitherAlone) {
  EXPECT_EQ(judged(pausing(false, false)).verdict, Verdict::kPass);
  EXPECT_EQ(judged(pausing(false, false)).seen, "global pause off");
  Snapshot snapshot = pausing(true, true);
  member(snapshot).dcb->pfc->enabled = 0;
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass);
  EXPECT_EQ(judged(snapshot).seen, "PFC off");
}

TEST(PfcExcludesGlobalPause, BothFailWithoutAnyProfile) {
  const Finding finding = judged(pausing(true, true));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.seen, "PFC on 3, global pause rx on, tx on");
  EXPECT_EQ(finding.wanted, "one of the two");
  EXPECT_EQ(finding.says, "Either end can stop the whole link, all priorities at once, PFC or not.");
  EXPECT_EQ(finding.settings, (std::vector<std::string>{"ethernet.pause", "dcb.pfc"}));
  EXPECT_EQ(judged(pausing(true, false)).says,
            "The peer can stop everything this port sends, all priorities at once, PFC or not.");
  EXPECT_EQ(judged(pausing(false, true)).says,
            "This port can stop everything its peer sends, all priorities at once, PFC or not.");
}

TEST(PfcExcludesGlobalPause, NegotiatedPauseIsAWarning) {
  Snapshot snapshot = pausing(true, true);
  member(snapshot).pause->autoneg = true;
  EXPECT_EQ(judged(snapshot).severity, Severity::kWarn);
  EXPECT_EQ(judged(snapshot).seen, "PFC on 3, global pause rx on, tx on (negotiated)");
}

TEST(PfcExcludesGlobalPause, DoesNotApplyWithoutPfcOrToAVirtualFunction) {
  Snapshot snapshot = pausing(true, true);
  member(snapshot).dcb->pfc.reset();
  EXPECT_EQ(judged(snapshot).says, "the driver offers no PFC");
  member(snapshot).dcb = gap(GapReason::kNotSupported, "dcb");
  EXPECT_EQ(judged(snapshot).says, "the driver offers no DCB, so no PFC to go with it");
  member(snapshot).pci->virtual_function = true;
  EXPECT_EQ(judged(snapshot).says, "a virtual function: pause and PFC belong to the physical function");
}

TEST(PfcExcludesGlobalPause, GapsAreUnknownOnlyWhereTheyDecide) {
  Snapshot snapshot = pausing(true, true);
  member(snapshot).dcb = gap(GapReason::kTimedOut, "dcb");
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kUnknown);
  member(snapshot).pause = Pause{};
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass) << "global pause is off, whatever PFC is";
  Snapshot blind = pausing(false, false);
  member(blind).pause = gap(GapReason::kDenied, "pause");
  EXPECT_EQ(judged(blind).says, "denied: pause");
  member(blind).dcb->pfc->enabled = 0;
  EXPECT_EQ(judged(blind).verdict, Verdict::kPass);
}

TEST(PfcExcludesGlobalPause, JudgesEveryMember) {
  Snapshot snapshot = pausing(false, false);
  snapshot.ports[0].members.push_back(samples::good_member("slave1", 21, "0000:50:00.0", 400000));
  snapshot.ports[0].members[1].pause->tx = true;
  const auto findings = samples::findings_of(pfc_excludes_global_pause, snapshot);
  EXPECT_EQ(samples::finding_on(findings, "ens1np0").verdict, Verdict::kPass);
  EXPECT_EQ(samples::finding_on(findings, "slave1").verdict, Verdict::kFail);
  snapshot.ports[0].members.clear();
  EXPECT_EQ(judged(snapshot).says, "absent: no physical port was found below ens1np0");
}

}  // namespace
}  // namespace rocert::checks
