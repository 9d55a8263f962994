#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting sysctl_port_arp_announce;
namespace {

using samples::first_drift;

Snapshot reading(Observed<std::string> text) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].facts["sysctl.port.arp_announce"] = std::move(text);
  return snapshot;
}

TEST(SysctlPortArpAnnounce, IsAFactUnlessTheProfileStatesIt) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(sysctl_port_arp_announce, reading("0"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "0");
  EXPECT_EQ(finding.says, "the profile wants nothing of it");
}

TEST(SysctlPortArpAnnounce, IsComparedWithWhatIsStated) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.port.arp_announce"] = Value(int64_t{2});
  EXPECT_EQ(first_drift(sysctl_port_arp_announce, reading("2"), &profile).verdict, Verdict::kPass);
  const Finding finding = first_drift(sysctl_port_arp_announce, reading("0"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "0");
  EXPECT_EQ(finding.wanted, "2");
  EXPECT_EQ(finding.subject.port, "ens1np0");
}

TEST(SysctlPortArpAnnounce, GapsAndNonsenseAreUnknown) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.port.arp_announce"] = Value(int64_t{2});
  EXPECT_EQ(first_drift(sysctl_port_arp_announce, reading(gap(GapReason::kDenied, "/proc/sys")), &profile).says,
            "denied: /proc/sys");
  const Finding finding = first_drift(sysctl_port_arp_announce, reading("3"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "malformed: sysctl.port.arp_announce: seen \"3\", wanted a number from 0 to 2");
}

TEST(SysctlPortArpAnnounce, ReadsItsOwnFile) {
  ASSERT_EQ(sysctl_port_arp_announce.reads.size(), 1u);
  EXPECT_EQ(sysctl_port_arp_announce.reads[0].path, "/proc/sys/net/ipv4/conf/{netdev}/arp_announce");
}

}  // namespace
}  // namespace rocert::tuning
