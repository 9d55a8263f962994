#include "support/known_drivers.h"

namespace rocert {
namespace {

TEST(Generic, KnowsLossByItsUsualNames) {
  EXPECT_EQ(meaning_of("who_knows", "Rcvd Out_Of_Sequence"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning_of("who_knows", "rx_bytes"), std::nullopt);
}

TEST(GenericTrust, FollowsTheKernelsTrustOrderAndGuessesNothing) {
  const auto trust = driver("generic").facts.trust;
  Member member = member_with({kDscp26}, kNoFile);
  const auto untold = trust(member);
  ASSERT_FALSE(untold);
  EXPECT_EQ(untold.error().reason, GapReason::kNotSupported);
  EXPECT_EQ(untold.error().detail, "eth2: no trust order (dcb apptrust), 1 DSCP entries in the APP table");
  member.dcb->trust_order = std::vector<uint8_t>{kAppDscp, kAppPcp};
  EXPECT_EQ(trust(member), "dscp");
  member.dcb->trust_order = std::vector<uint8_t>{kAppEthertype, kAppPcp, kAppDscp};
  EXPECT_EQ(trust(member), "pcp");
  member.dcb->trust_order = std::vector<uint8_t>{};
  EXPECT_EQ(trust(member), "none");
  member.dcb = gap(GapReason::kDenied, "dcb");
  EXPECT_EQ(trust(member).error().reason, GapReason::kDenied);
}

}  // namespace
}  // namespace rocert
