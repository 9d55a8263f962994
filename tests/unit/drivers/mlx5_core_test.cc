#include "support/known_drivers.h"

namespace rocert {
namespace {

TEST(Mlx5, CountersMeanWhatTheDriverSays) {
  EXPECT_EQ(meaning_of("mlx5_core", "out_of_sequence"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning_of("mlx5_ib", "packet_seq_err"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning_of("mlx5_core", "rx_prio3_discards"), CounterMeaning::kLoss);
  EXPECT_EQ(meaning_of("mlx5_core", "rx_prio3_pause"), CounterMeaning::kPause);
  EXPECT_EQ(meaning_of("mlx5_core", "tx_global_pause_duration"), CounterMeaning::kPause);
  EXPECT_EQ(meaning_of("mlx5_core", "out_of_buffer"), CounterMeaning::kReceiverNotReady);
  EXPECT_EQ(meaning_of("mlx5_core", "rp_cnp_handled"), CounterMeaning::kCongestion);
  EXPECT_EQ(meaning_of("mlx5_core", "rx_vport_rdma_unicast_bytes"), CounterMeaning::kActivity);
  EXPECT_EQ(meaning_of("mlx5_core", "rx_packets"), std::nullopt);
}

TEST(Mlx5, PausesByPriority) { EXPECT_TRUE(driver("mlx5_core").facts.supports_pfc); }

TEST(Mlx5Trust, FileOfOfedDecides) {
  const auto trust = driver("mlx5_core").facts.trust;
  EXPECT_EQ(trust(member_with({}, "dscp")), "dscp");
  EXPECT_EQ(trust(member_with({kDscp26}, "pcp")), "pcp");
  const auto odd = trust(member_with({}, "both\x1b"));
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().reason, GapReason::kMalformed);
  EXPECT_EQ(odd.error().detail, "qos/trust of eth2: seen \"both\\x1b\", wanted dscp or pcp");
}

TEST(Mlx5Trust, InboxAnyDscpEntryIsTheTrust) {
  const auto trust = driver("mlx5_core").facts.trust;
  EXPECT_EQ(trust(member_with({kDscp26}, kNoFile)), "dscp");
  EXPECT_EQ(trust(member_with({}, kNoFile)), "pcp");
  EXPECT_EQ(trust(member_with({{.selector = kAppPcp}, {.selector = kAppEthertype}}, kNoFile)), "pcp");
}

TEST(Mlx5Trust, AGapNeverBecomesPcp) {
  const auto trust = driver("mlx5_core").facts.trust;
  for (const auto& [reason, word] : Words<GapReason>::values) {
    if (reason == GapReason::kAbsent) continue;
    const auto seen = trust(member_with({}, gap(reason, "file")));
    ASSERT_FALSE(seen) << word;
    EXPECT_EQ(seen.error().reason, reason);
    EXPECT_EQ(trust(member_with({kDscp26}, gap(reason, "file"))), "dscp") << "an entry proves it all the same";
    Member member = member_with({}, kNoFile);
    member.dcb = gap(reason, "dcb");
    EXPECT_EQ(trust(member).error().reason, reason);
  }
  Member unread{.netdev = "eth2"};
  unread.dcb = Dcb{};
  EXPECT_EQ(trust(unread).error().reason, GapReason::kNotAsked);
}

}  // namespace
}  // namespace rocert
