#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting sysctl_all_rp_filter;
namespace {

using samples::first_drift;

Snapshot reading(Observed<std::string> text) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.facts["sysctl.all.rp_filter"] = std::move(text);
  return snapshot;
}

TEST(SysctlAllRpFilter, IsAWord) {
  const Profile silent = samples::lossless_profile();
  EXPECT_EQ(first_drift(sysctl_all_rp_filter, reading("0"), &silent).seen, "off");
  EXPECT_EQ(first_drift(sysctl_all_rp_filter, reading("1"), &silent).seen, "strict");
  EXPECT_EQ(first_drift(sysctl_all_rp_filter, reading("2"), &silent).seen, "loose");
  EXPECT_EQ(first_drift(sysctl_all_rp_filter, reading("2"), &silent).verdict, Verdict::kNotApplicable);
}

TEST(SysctlAllRpFilter, IsComparedWithWhatIsStated) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.all.rp_filter"] = Value(std::string("off"));
  EXPECT_EQ(first_drift(sysctl_all_rp_filter, reading("0"), &profile).verdict, Verdict::kPass);
  const Finding finding = first_drift(sysctl_all_rp_filter, reading("1"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "strict");
  EXPECT_EQ(finding.wanted, "off");
}

TEST(SysctlAllRpFilter, GapsAndNonsenseAreUnknown) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.all.rp_filter"] = Value(std::string("off"));
  EXPECT_EQ(first_drift(sysctl_all_rp_filter, reading(gap(GapReason::kAbsent, "x")), &profile).verdict,
            Verdict::kUnknown);
  EXPECT_EQ(first_drift(sysctl_all_rp_filter, reading("3"), &profile).says,
            "malformed: sysctl.all.rp_filter: seen \"3\", wanted 0, 1 or 2");
}

}  // namespace
}  // namespace rocert::tuning
