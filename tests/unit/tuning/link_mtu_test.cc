#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting link_mtu;
namespace {

using samples::first_drift;

Snapshot with_mtu(uint32_t mtu) { return samples::good_snapshot({.ports = 1, .mtu = mtu}); }

Profile wanting(Between range) {
  Profile profile = samples::lossless_profile();
  profile.roles[0].mtu = range;
  return profile;
}

TEST(LinkMtu, EnoughSatisfiesAtLeast) {
  const Profile profile = wanting({.at_least = 4192});
  for (const uint32_t mtu : {4192u, 4200u, 9000u, 9216u}) {
    const Finding finding = first_drift(link_mtu, with_mtu(mtu), &profile);
    EXPECT_EQ(finding.verdict, Verdict::kPass) << mtu;
    EXPECT_EQ(finding.wanted, "at least 4192 bytes");
  }
}

TEST(LinkMtu, TooSmallSaysWhatRdmaGets) {
  const Profile profile = wanting({.at_least = 4192});
  const Finding finding = first_drift(link_mtu, with_mtu(1500), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.seen, "1500 bytes");
  EXPECT_EQ(finding.wanted, "at least 4192 bytes");
  EXPECT_EQ(
      finding.says,
      "RDMA packets carry at most 1024 bytes here: more headers a message, and a peer that expects more may fail.");
  EXPECT_EQ(first_drift(link_mtu, with_mtu(300), &profile).says, "No RDMA packet fits this MTU.");
}

TEST(LinkMtu, BoundsFromAbove) {
  const Profile profile = wanting({.at_most = 4200});
  EXPECT_EQ(first_drift(link_mtu, with_mtu(4200), &profile).verdict, Verdict::kPass);
  const Finding finding = first_drift(link_mtu, with_mtu(9000), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.wanted, "at most 4200 bytes");
  EXPECT_EQ(finding.says,
            "The port is larger than the profile allows: what its peers or the switch cannot carry is dropped unseen.");
  const Profile both = wanting({.at_least = 4192, .at_most = 9000});
  EXPECT_EQ(first_drift(link_mtu, with_mtu(9216), &both).wanted, "4192 to 9000 bytes");
  EXPECT_EQ(first_drift(link_mtu, with_mtu(9216), &both).verdict, Verdict::kFail);
  const Profile exact = wanting({.at_least = 9000, .at_most = 9000});
  EXPECT_EQ(first_drift(link_mtu, with_mtu(9216), &exact).wanted, "9000 bytes");
}

TEST(LinkMtu, AnOverrideIsOneNumber) {
  Profile profile = wanting({.at_least = 4192});
  profile.settings["link.mtu"] = Value(int64_t{9000});
  EXPECT_EQ(first_drift(link_mtu, with_mtu(9000), &profile).verdict, Verdict::kPass);
  const Finding finding = first_drift(link_mtu, with_mtu(9216), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.wanted, "9000 bytes");
}

TEST(LinkMtu, IsAFactWithoutIntent) {
  const Finding none = first_drift(link_mtu, with_mtu(1500), nullptr);
  EXPECT_EQ(none.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(none.seen, "1500 bytes");
  Profile silent = samples::lossless_profile();
  silent.roles[0].mtu.reset();
  EXPECT_EQ(first_drift(link_mtu, with_mtu(1500), &silent).verdict, Verdict::kNotApplicable);
}

}  // namespace
}  // namespace rocert::tuning
