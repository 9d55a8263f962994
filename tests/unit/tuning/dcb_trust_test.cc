#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting dcb_trust;
namespace {

using samples::first_drift;

Snapshot trusting(Observed<std::string> trust) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members[0].facts["trust"] = std::move(trust);
  return snapshot;
}

TEST(DcbTrust, PassesWhereTheDscpIsTrusted) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_trust, trusting("dscp"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.wanted, "dscp");
}

TEST(DcbTrust, PcpMakesTheDscpDead) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_trust, trusting("pcp"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "pcp");
  EXPECT_EQ(finding.says,
            "Untagged traffic lands in priority 0 whatever its DSCP: its own queue and pause never apply.");
  EXPECT_EQ(first_drift(dcb_trust, trusting("none"), &profile).says,
            "The port looks at no mark: all traffic shares its default priority.");
}

TEST(DcbTrust, APlanByVlanPriorityAsksForNothing) {
  Profile profile = samples::lossless_profile();
  profile.classes[0].dscp.reset();
  const Finding finding = first_drift(dcb_trust, trusting("pcp"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "pcp");
  profile.settings["dcb.trust"] = Value(std::string("pcp"));
  EXPECT_EQ(first_drift(dcb_trust, trusting("pcp"), &profile).verdict, Verdict::kPass);
  EXPECT_EQ(first_drift(dcb_trust, trusting("dscp"), &profile).says,
            "Traffic that is marked by VLAN priority alone is not told apart.");
}

TEST(DcbTrust, ADriverWithoutTrustIsNotJudged) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = trusting("pcp");
  Profile any = profile;
  any.roles[0].match = {};
  snapshot.ports[0].members[0].pci->driver = "bnxt_en";
  const Finding finding = first_drift(dcb_trust, snapshot, &any);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.says, "the driver has no trust state: each entry of the DSCP map counts by itself");
}

TEST(DcbTrust, AVirtualFunctionIsNotJudged) {
  const Profile profile = samples::lossless_profile();
  Snapshot snapshot = trusting("pcp");
  snapshot.ports[0].members[0].pci->virtual_function = true;
  EXPECT_EQ(first_drift(dcb_trust, snapshot, &profile).verdict, Verdict::kNotApplicable);
}

TEST(DcbTrust, AGapIsUnknown) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(dcb_trust, trusting(gap(GapReason::kDenied, "qos/trust")), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "denied: qos/trust");
  Snapshot nameless = trusting("dscp");
  nameless.ports[0].members[0].pci = gap(GapReason::kAbsent, "no device");
  nameless.ports[0].members[0].driver = gap(GapReason::kTimedOut, "ethtool");
  Profile any = profile;
  any.roles[0].match = {};
  EXPECT_EQ(first_drift(dcb_trust, nameless, &any).says, "absent: no driver of ens1np0 was told");
}

}  // namespace
}  // namespace rocert::tuning
