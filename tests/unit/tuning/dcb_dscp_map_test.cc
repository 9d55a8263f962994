#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting dcb_dscp_map;
namespace {

using samples::first_drift;

App dscp(uint16_t value, uint8_t priority) { return {.selector = kAppDscp, .priority = priority, .protocol = value}; }

Snapshot mapping(std::vector<App> apps, std::string trust = "dscp") {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  Member& member = snapshot.ports[0].members[0];
  member.dcb->apps = std::move(apps);
  member.facts["trust"] = std::move(trust);
  return snapshot;
}

TEST(DcbDscpMap, OnlyTheEntriesOfTheProfileMatter) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_dscp_map, mapping({dscp(26, 3), dscp(48, 6), dscp(7, 5)}), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.seen, "26:3 48:6");
  EXPECT_EQ(finding.wanted, "26:3 48:6");
}

TEST(DcbDscpMap, NamesWhatGoesElsewhere) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(
      dcb_dscp_map, mapping({dscp(26, 0), {.selector = kAppDatagram, .priority = 3, .protocol = 4791}}), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "26:0 48:none");
  EXPECT_EQ(finding.says,
            "DSCP 26 goes to priority 0, not to 3; DSCP 48 goes to priority 0 or the driver's default, not to 6: it "
            "shares queue and pause with other traffic.");
}

TEST(DcbDscpMap, OfSeveralPrioritiesTheHighestCounts) {
  const Profile profile = samples::lossless_profile();
  EXPECT_EQ(first_drift(dcb_dscp_map, mapping({dscp(26, 3), dscp(26, 2), dscp(48, 6)}), &profile).verdict,
            Verdict::kPass);
  EXPECT_EQ(first_drift(dcb_dscp_map, mapping({dscp(26, 3), dscp(26, 5), dscp(48, 6)}), &profile).seen, "26:5 48:6");
}

TEST(DcbDscpMap, NoEntryAtAllIsSaidOnce) {
  Profile any = samples::lossless_profile();
  any.roles[0].match = {};
  Snapshot snapshot = mapping({});
  snapshot.ports[0].members[0].pci->driver = "ice";
  const Finding finding = first_drift(dcb_dscp_map, snapshot, &any);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(
      finding.says,
      "None of the marks that the profile uses has an entry: such traffic is not told apart, and shares the queue "
      "of everything else.");
}

TEST(DcbDscpMap, AMapThatTheDriverHidesIsNotAnEmptyOne) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_dscp_map, mapping({}), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "not supported: ens1np0 trusts DSCP by a map that its driver does not show");
  Snapshot shown = mapping({});
  shown.ports[0].members[0].dcb->trust_order = {kAppDscp};
  EXPECT_EQ(first_drift(dcb_dscp_map, shown, &profile).verdict, Verdict::kFail);
}

TEST(DcbDscpMap, UnderPcpTrustItIsNotASecondError) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_dscp_map, mapping({}, "pcp"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.says, "the port does not trust DSCP, so no map of it is in force: see dcb.trust");
}

TEST(DcbDscpMap, WithoutIntentTheWholeMapIsShownInRanges) {
  const Finding finding = first_drift(dcb_dscp_map, samples::good_snapshot({.ports = 1}), nullptr);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "0-7:0 8-15:1 16-23:2 24-31:3 32-39:4 40-47:5 48-55:6 56-63:7");
  EXPECT_EQ(first_drift(dcb_dscp_map, mapping({dscp(4, 1), dscp(9, 1)}), nullptr).seen, "4:1 9:1");
}

TEST(DcbDscpMap, AClassWithoutPriorityAsksForNothing) {
  Profile profile = samples::lossless_profile();
  profile.classes[0].priority.reset();
  profile.classes[0].cnp.reset();
  EXPECT_EQ(first_drift(dcb_dscp_map, mapping({dscp(26, 0)}), &profile).verdict, Verdict::kNotApplicable);
}

TEST(DcbDscpMap, AGapIsUnknown) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = mapping({});
  snapshot.ports[0].members[0].dcb = gap(GapReason::kTimedOut, "DCB of ens1np0");
  EXPECT_EQ(first_drift(dcb_dscp_map, snapshot, &profile).says, "timed out: DCB of ens1np0");
}

TEST(DcbDscpMap, AVirtualFunctionIsNotJudged) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = mapping({});
  snapshot.ports[0].members[0].pci->virtual_function = true;
  EXPECT_EQ(first_drift(dcb_dscp_map, snapshot, &profile).verdict, Verdict::kNotApplicable);
}

}  // namespace
}  // namespace rocert::tuning
