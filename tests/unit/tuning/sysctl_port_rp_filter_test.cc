#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting sysctl_port_rp_filter;
namespace {

using samples::first_drift;

Snapshot reading(Observed<std::string> own, Observed<std::string> all) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].facts["sysctl.port.rp_filter"] = std::move(own);
  snapshot.facts["sysctl.all.rp_filter"] = std::move(all);
  return snapshot;
}

Profile wanting(std::string word) {
  Profile profile = samples::lossless_profile();
  profile.settings["sysctl.port.rp_filter"] = Value(std::move(word));
  return profile;
}

TEST(SysctlPortRpFilter, OffSatisfiesLooseUnlessAllIsStrict) {
  const Profile loose = wanting("loose");
  EXPECT_EQ(first_drift(sysctl_port_rp_filter, reading("2", "1"), &loose).verdict, Verdict::kPass);
  EXPECT_EQ(first_drift(sysctl_port_rp_filter, reading("0", "0"), &loose).verdict, Verdict::kPass);
  EXPECT_EQ(first_drift(sysctl_port_rp_filter, reading("0", "2"), &loose).verdict, Verdict::kPass);
  EXPECT_EQ(first_drift(sysctl_port_rp_filter, reading("0", "1"), &loose).verdict, Verdict::kFail);
}

TEST(SysctlPortRpFilter, StrictDropsAsymmetricReplies) {
  const Profile loose = wanting("loose");
  const Finding finding = first_drift(sysctl_port_rp_filter, reading("1", "0"), &loose);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "strict");
  EXPECT_EQ(finding.wanted, "loose");
  EXPECT_EQ(finding.says, "Replies that arrive by another port than the route back would take are dropped.");
  const Profile strict = wanting("strict");
  EXPECT_EQ(first_drift(sysctl_port_rp_filter, reading("0", "0"), &strict).says,
            "Packets with a source that is not routed through this port are accepted.");
}

TEST(SysctlPortRpFilter, WhatIsInForceIsUnknownWithoutAll) {
  const Profile loose = wanting("loose");
  const Finding finding = first_drift(sysctl_port_rp_filter, reading("0", gap(GapReason::kNotRecorded, "all")), &loose);
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "not recorded: all");
  EXPECT_EQ(first_drift(sysctl_port_rp_filter, reading("2", gap(GapReason::kNotRecorded, "all")), &loose).verdict,
            Verdict::kPass);
}

TEST(SysctlPortRpFilter, IsAFactUnlessStated) {
  const Profile silent = samples::lossless_profile();
  const Finding finding = first_drift(sysctl_port_rp_filter, reading("1", "1"), &silent);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "strict");
}

}  // namespace
}  // namespace rocert::tuning
