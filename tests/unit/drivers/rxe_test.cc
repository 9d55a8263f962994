#include "support/known_drivers.h"

namespace rocert {
namespace {

TEST(Rxe, CountersMeanWhatTheDriverSays) {
  EXPECT_EQ(meaning_of("rxe", "rcvd_seq_err"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning_of("rdma_rxe", "rcvd_rnr_err"), CounterMeaning::kReceiverNotReady);
  EXPECT_EQ(meaning_of("rxe", "rcvd_pkts"), CounterMeaning::kActivity);
}

TEST(Rxe, HasNoTrustAndNoPfcOfItsOwn) {
  EXPECT_EQ(driver("rxe").facts.trust, nullptr);
  EXPECT_FALSE(driver("rxe").facts.supports_pfc);
}

}  // namespace
}  // namespace rocert
