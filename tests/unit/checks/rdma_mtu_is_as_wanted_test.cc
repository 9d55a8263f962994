#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check rdma_mtu_is_as_wanted;
namespace {

Profile wanting(Between range) {
  Profile profile = samples::lossless_profile();
  profile.roles[0].mtu = range;
  return profile;
}
Finding judged(const Snapshot& snapshot, const Profile* profile) {
  return samples::findings_of(rdma_mtu_is_as_wanted, snapshot, profile).at(0);
}

TEST(RdmaMtuIsAsWanted, AnyNetdevMtuThatGives4096Passes) {
  for (const uint32_t mtu : {4192u, 4200u, 9000u, 9216u}) {
    const Profile profile = wanting({.at_least = 9000});
    const Finding finding = judged(samples::good_snapshot({.mtu = mtu}), &profile);
    EXPECT_EQ(finding.verdict, Verdict::kPass) << mtu;
    EXPECT_EQ(finding.seen, "4096 bytes");
  }
}

TEST(RdmaMtuIsAsWanted, ASmallNetdevIsTheReason) {
  const Profile profile = wanting({.at_least = 4192});
  const Finding finding = judged(samples::good_snapshot({.mtu = 1500}), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "1024 bytes");
  EXPECT_EQ(finding.wanted, "at least 4096 bytes");
  EXPECT_EQ(finding.says,
            "The netdev's MTU of 1500 carries no more; a peer that uses 4096 breaks the connection or both slow down.");
  EXPECT_EQ(finding.settings, std::vector<std::string>{"link.mtu"});
}

TEST(RdmaMtuIsAsWanted, ADeviceThatLagsBehindItsNetdevIsNamed) {
  const Profile profile = wanting({.at_least = 4192});
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].attributes->active_mtu = 1024;
  snapshot.ports[0].attributes->max_mtu = 2048;
  const Finding finding = judged(snapshot, &profile);
  EXPECT_EQ(finding.says, "The netdev's MTU of 9000 would carry 4096; the RDMA device has not followed it.");
  EXPECT_EQ(finding.evidence, std::vector<std::string>{"mlx5_0 can do 2048 bytes at most"});
}

TEST(RdmaMtuIsAsWanted, IsDerivedWhereVerbsDoNotTell) {
  const Profile profile = wanting({.at_least = 4192});
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].attributes = gap(GapReason::kAbsent, "libibverbs.so.1");
  EXPECT_EQ(judged(snapshot, &profile).verdict, Verdict::kPass);
  EXPECT_EQ(judged(snapshot, &profile).seen, "4096 bytes, derived from the netdev's 9000");
  snapshot.ports[0].link.mtu = 1500;
  const Finding finding = judged(snapshot, &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.evidence, std::vector<std::string>{"active MTU: absent: libibverbs.so.1"});
}

TEST(RdmaMtuIsAsWanted, ALimitFromAboveHolds) {
  const Profile profile = wanting({.at_least = 1500, .at_most = 2300});
  const Finding finding = judged(samples::good_snapshot(), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.wanted, "1024 to 2048 bytes");
  EXPECT_EQ(finding.says, "A peer with smaller packets drops what this port sends.");
  const Profile most = wanting({.at_most = 1500});
  EXPECT_EQ(judged(samples::good_snapshot(), &most).wanted, "at most 1024 bytes");
}

TEST(RdmaMtuIsAsWanted, WithoutIntentItIsAFact) {
  const Finding finding = judged(samples::good_snapshot({.mtu = 1500}), nullptr);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "1024 bytes");
}

}  // namespace
}  // namespace rocert::checks
