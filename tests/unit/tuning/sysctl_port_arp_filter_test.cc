#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting sysctl_port_arp_filter;
namespace {

using samples::first_drift;

Snapshot reading(Observed<std::string> text) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].facts["sysctl.port.arp_filter"] = std::move(text);
  return snapshot;
}

TEST(SysctlPortArpFilter, IsAFactUnlessTheProfileStatesIt) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(sysctl_port_arp_filter, reading("0"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "off");
  EXPECT_EQ(finding.says, "the profile wants nothing of it");
}

TEST(SysctlPortArpFilter, IsComparedWithWhatIsStated) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.port.arp_filter"] = Value(true);
  EXPECT_EQ(first_drift(sysctl_port_arp_filter, reading("1"), &profile).verdict, Verdict::kPass);
  const Finding finding = first_drift(sysctl_port_arp_filter, reading("0"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "off");
  EXPECT_EQ(finding.wanted, "on");
  EXPECT_EQ(finding.subject.port, "ens1np0");
}

TEST(SysctlPortArpFilter, GapsAndNonsenseAreUnknown) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.port.arp_filter"] = Value(true);
  EXPECT_EQ(first_drift(sysctl_port_arp_filter, reading(gap(GapReason::kDenied, "/proc/sys")), &profile).says,
            "denied: /proc/sys");
  const Finding finding = first_drift(sysctl_port_arp_filter, reading("2"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "malformed: sysctl.port.arp_filter: seen \"2\", wanted 0 or 1");
}

TEST(SysctlPortArpFilter, ReadsItsOwnFile) {
  ASSERT_EQ(sysctl_port_arp_filter.reads.size(), 1u);
  EXPECT_EQ(sysctl_port_arp_filter.reads[0].path, "/proc/sys/net/ipv4/conf/{netdev}/arp_filter");
}

}  // namespace
}  // namespace rocert::tuning
