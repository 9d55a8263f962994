#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting sysctl_all_arp_filter;
namespace {

using samples::first_drift;

Snapshot reading(Observed<std::string> text) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.facts["sysctl.all.arp_filter"] = std::move(text);
  return snapshot;
}

TEST(SysctlAllArpFilter, IsAFactUnlessTheProfileStatesIt) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(sysctl_all_arp_filter, reading("0"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "off");
  EXPECT_EQ(finding.says, "the profile wants nothing of it");
}

TEST(SysctlAllArpFilter, IsComparedWithWhatIsStated) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.all.arp_filter"] = Value(true);
  EXPECT_EQ(first_drift(sysctl_all_arp_filter, reading("1"), &profile).verdict, Verdict::kPass);
  const Finding finding = first_drift(sysctl_all_arp_filter, reading("0"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "off");
  EXPECT_EQ(finding.wanted, "on");
  EXPECT_EQ(finding.subject.port, "");
}

TEST(SysctlAllArpFilter, GapsAndNonsenseAreUnknown) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.all.arp_filter"] = Value(true);
  EXPECT_EQ(first_drift(sysctl_all_arp_filter, reading(gap(GapReason::kDenied, "/proc/sys")), &profile).says,
            "denied: /proc/sys");
  const Finding finding = first_drift(sysctl_all_arp_filter, reading("2"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "malformed: sysctl.all.arp_filter: seen \"2\", wanted 0 or 1");
}

TEST(SysctlAllArpFilter, ReadsItsOwnFile) {
  ASSERT_EQ(sysctl_all_arp_filter.reads.size(), 1u);
  EXPECT_EQ(sysctl_all_arp_filter.reads[0].path, "/proc/sys/net/ipv4/conf/all/arp_filter");
}

}  // namespace
}  // namespace rocert::tuning
