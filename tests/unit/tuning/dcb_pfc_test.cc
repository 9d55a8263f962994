#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting dcb_pfc;
namespace {

using samples::first_drift;

Snapshot pausing(uint8_t priorities) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members[0].dcb->pfc->enabled = priorities;
  return snapshot;
}

TEST(DcbPfc, PassesOnExactlyTheLosslessPriorities) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_pfc, pausing(0b1000), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.seen, "0,0,0,1,0,0,0,0");
}

TEST(DcbPfc, OffDropsUnderIncast) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_pfc, pausing(0), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.seen, "0,0,0,0,0,0,0,0");
  EXPECT_EQ(finding.wanted, "0,0,0,1,0,0,0,0");
  EXPECT_EQ(finding.says,
            "Traffic of rdma (DSCP 26) rides priority 3, which this port does not pause: it drops under incast.");
}

TEST(DcbPfc, NamesThePriorityThatPausesInstead) {
  const Profile profile = samples::lossless_profile();
  EXPECT_EQ(first_drift(dcb_pfc, pausing(0b10000), &profile).says,
            "Traffic of rdma (DSCP 26) rides priority 3, which this port does not pause: it drops under incast (it "
            "pauses priority 4 instead).");
}

TEST(DcbPfc, APriorityTooManyIsAFault) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_pfc, pausing(0b11001), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.says,
            "The port pauses priorities 0, 4, where the profile has nothing lossless: one slow receiver can then stop "
            "that traffic across the fabric.");
}

TEST(DcbPfc, TwoLosslessClassesWantBothPriorities) {
  Profile profile = samples::lossless_profile();
  profile.classes.push_back({.name = "storage", .dscp = Dscp{34}, .priority = Priority{4}, .lossless = true});
  profile.roles[0].classes.emplace_back("storage");
  EXPECT_EQ(first_drift(dcb_pfc, pausing(0b11000), &profile).verdict, Verdict::kPass);
}

TEST(DcbPfc, ALossyRoleWantsNone) {
  Profile profile = samples::lossless_profile();
  profile.classes[0].lossless = false;
  EXPECT_EQ(first_drift(dcb_pfc, pausing(0), &profile).verdict, Verdict::kPass);
  EXPECT_EQ(first_drift(dcb_pfc, pausing(0b1000), &profile).verdict, Verdict::kFail);
}

TEST(DcbPfc, ARoleWithoutClassesWantsNothing) {
  Profile profile = samples::lossless_profile();
  profile.roles[0].classes.clear();
  EXPECT_EQ(first_drift(dcb_pfc, pausing(0b1000), &profile).verdict, Verdict::kNotApplicable);
}

TEST(DcbPfc, GapsAreNeverOff) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = pausing(0b1000);
  snapshot.ports[0].members[0].dcb->pfc.reset();
  const Finding no_getter = first_drift(dcb_pfc, snapshot, &profile);
  EXPECT_EQ(no_getter.verdict, Verdict::kUnknown);
  EXPECT_EQ(no_getter.says, "not supported: the driver of ens1np0 tells no PFC (DCB_ATTR_IEEE_PFC)");
  snapshot.ports[0].members[0].dcb = gap(GapReason::kNotRecorded, "kernel/dcb/ens1np0.json");
  EXPECT_EQ(first_drift(dcb_pfc, snapshot, &profile).says, "not recorded: kernel/dcb/ens1np0.json");
}

TEST(DcbPfc, AVirtualFunctionHasNoQosOfItsOwn) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = pausing(0);
  snapshot.ports[0].members[0].pci->virtual_function = true;
  snapshot.ports[0].members[0].dcb = gap(GapReason::kNotSupported, "no dcbnl");
  const Finding finding = first_drift(dcb_pfc, snapshot, &profile);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.says,
            "a virtual function: its port's QoS belongs to the physical function; audit that on the host that owns it");
}

TEST(DcbPfc, EveryMemberOfABondIsJudged) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = pausing(0b1000);
  snapshot.ports[0].link.name = "bond0";
  snapshot.ports[0].members.push_back(samples::good_member("ens2np0", 11, "0000:41:00.0", 400000));
  snapshot.ports[0].members[1].dcb->pfc->enabled = 0;
  const auto findings = samples::drift_of(dcb_pfc, snapshot, &profile);
  EXPECT_EQ(samples::finding_on(findings, "ens1np0").verdict, Verdict::kPass);
  EXPECT_EQ(samples::finding_on(findings, "ens2np0").verdict, Verdict::kFail);
}

TEST(DcbPfc, NoPhysicalPortIsUnknown) {
  Profile profile = samples::lossless_profile();
  profile.roles[0].match = {};
  Snapshot snapshot = pausing(0);
  snapshot.ports[0].members.clear();
  EXPECT_EQ(first_drift(dcb_pfc, snapshot, &profile).says, "absent: no physical port was found below ens1np0");
}

}  // namespace
}  // namespace rocert::tuning
