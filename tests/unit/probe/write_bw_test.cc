#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "both_ends.h"

namespace rocert {
namespace {

using namespace testing_support;
using probes::write_bw;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(WriteBw, MeasuresAndChecksAGivenNumberOfMessages) {
  FakeFabric fabric(two_devices());
  const BothEnds ends = run_both(fabric, write_bw);
  ASSERT_TRUE(ends.active) << ends.active.error().message;
  ASSERT_TRUE(ends.passive) << ends.passive.error().message;
  ASSERT_TRUE(ends.active->figures) << to_text(ends.active->figures.error());
  const Figures& figures = *ends.active->figures;
  EXPECT_EQ(figures.at("messages"), 100);
  EXPECT_EQ(figures.at("bytes"), 100 * 1000);
  EXPECT_GT(figures.at("duration_ns"), 0);
  EXPECT_DOUBLE_EQ(figures.at("bits_per_second"), 8e9 * figures.at("bytes") / figures.at("duration_ns"));
  EXPECT_TRUE(ends.active->data_intact);
  EXPECT_TRUE(ends.passive->data_intact);
  EXPECT_EQ(ends.active->mtu, 4096u);
  EXPECT_EQ(ends.passive->mtu, 4096u);
  EXPECT_EQ(ends.passive->figures->at("bytes_checked"), 8 * 1000);
  EXPECT_THAT(ends.active->errors, IsEmpty());
  EXPECT_THAT(ends.passive->errors, IsEmpty());
  EXPECT_EQ(fabric.alive(), 0);
}

TEST(WriteBw, WithoutACountRunsUntilTheDurationIsOver) {
  FakeFabric fabric(two_devices());
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) {
    order.messages = 0;
    order.duration_ns = 20'000'000;
  }
  const BothEnds ends = run_both(fabric, write_bw, orders);
  ASSERT_TRUE(ends.active && ends.active->figures);
  EXPECT_GE(ends.active->figures->at("messages"), 2);  // a batch
  EXPECT_TRUE(ends.passive->data_intact);
}

// No figure is made of nothing.
TEST(WriteBw, TheShortestDurationIsABatch) {
  FakeFabric fabric(two_devices());
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) {
    order.messages = 0;
    order.duration_ns = 1;
  }
  const BothEnds ends = run_both(fabric, write_bw, orders);
  ASSERT_TRUE(ends.active && ends.active->figures);
  EXPECT_EQ(ends.active->figures->at("messages"), 2);
}

class WriteBwDepth : public testing::TestWithParam<std::tuple<uint32_t, uint32_t, uint32_t>> {};

TEST_P(WriteBwDepth, EveryMessageIsCountedAndArrives) {
  FakeFabric fabric(two_devices());
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) std::tie(order.depth, order.messages, order.size) = GetParam();
  const BothEnds ends = run_both(fabric, write_bw, orders);
  ASSERT_TRUE(ends.active && ends.active->figures);
  EXPECT_EQ(ends.active->figures->at("messages"), orders[0].messages);
  EXPECT_TRUE(ends.passive->data_intact);
}

// Depths that batches do not divide, fewer messages than the depth, one byte, and one message larger than the buffer
// would be.
INSTANTIATE_TEST_SUITE_P(Shapes, WriteBwDepth,
                         testing::Values(std::tuple{1u, 1u, 1u}, std::tuple{1u, 7u, 4096u}, std::tuple{3u, 10u, 13u},
                                         std::tuple{64u, 5u, 100u}, std::tuple{7u, 50u, 8191u},
                                         std::tuple{2u, 3u, (4u << 20) + 5u}));

TEST(WriteBw, TheQueuePairIsToldWhatTheOrderSays) {
  auto devices = two_devices();
  devices[1].active_mtu = IBV_MTU_1024;
  FakeFabric fabric(devices);
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) order.timeout = 12;
  const BothEnds ends = run_both(fabric, write_bw, orders);
  EXPECT_EQ(ends.active->mtu, 1024u);
  const auto told = fabric.connections();
  ASSERT_EQ(told.size(), 2u);
  for (const FakeConnection& connection : told) {
    EXPECT_EQ(connection.rtr.path_mtu, IBV_MTU_1024);
    EXPECT_EQ(connection.rtr.ah_attr.is_global, 1);
    EXPECT_EQ(connection.rtr.ah_attr.grh.traffic_class, 104);
    EXPECT_EQ(connection.rtr.ah_attr.grh.sgid_index, 1);
    EXPECT_GE(connection.rtr.ah_attr.grh.hop_limit, 64);
    EXPECT_EQ(connection.rts.timeout, 12);
    EXPECT_EQ(connection.rts.retry_cnt, 6);
    EXPECT_LT(connection.rts.rnr_retry, 7);
  }
}

TEST(WriteBw, AnOrderedMtuBelowBothPortsIsUsed) {
  FakeFabric fabric(two_devices());
  Orders orders = both_orders();
  orders[1].mtu = 512;
  EXPECT_EQ(run_both(fabric, write_bw, orders).active->mtu, 512u);
}

TEST(WriteBw, DamagedDataIsFoundAndPlaced) {
  auto devices = two_devices();
  devices[0].faults.arrives_damaged = true;
  devices[0].faults.after = 100;  // the last round only
  FakeFabric fabric(devices);
  const BothEnds ends = run_both(fabric, write_bw);
  EXPECT_TRUE(ends.active->figures);
  EXPECT_FALSE(ends.passive->data_intact);
  EXPECT_THAT(ends.passive->errors, ElementsAre(HasSubstr("byte 500 of 8000")));
}

TEST(WriteBw, LostPacketsEndInTheStatusAndItsMeaning) {
  auto devices = two_devices();
  devices[0].faults.fails_with = IBV_WC_RETRY_EXC_ERR;
  devices[0].faults.after = 20;  // the first of a batch, so that another one is flushed behind it
  FakeFabric fabric(devices);
  const BothEnds ends = run_both(fabric, write_bw);
  ASSERT_TRUE(ends.active);
  ASSERT_FALSE(ends.active->figures);
  EXPECT_EQ(ends.active->figures.error().reason, GapReason::kTimedOut);
  ASSERT_EQ(ends.active->errors.size(), 1u);
  EXPECT_THAT(ends.active->errors[0], HasSubstr("n1 fake0 (active): RETRY_EXC_ERR (12, vendor error 0x81), 1 message"));
  EXPECT_THAT(ends.active->errors[0], HasSubstr("more were flushed"));
  EXPECT_FALSE(ends.active->data_intact);
  EXPECT_FALSE(ends.passive->data_intact);
  EXPECT_EQ(fabric.alive(), 0);
}

TEST(WriteBw, RefusedMemoryIsNoTimeout) {
  FakeFabric fabric(two_devices());
  PairedExchange exchange;
  exchange.alter(1, [](Endpoint& told) { ++told.key; });
  const BothEnds ends = run_both(fabric, write_bw, both_orders(), exchange);
  ASSERT_FALSE(ends.active->figures);
  EXPECT_EQ(ends.active->figures.error().reason, GapReason::kUnreadable);
  EXPECT_THAT(ends.active->errors, Contains(HasSubstr("REM_ACCESS_ERR")));
}

TEST(WriteBw, ABlackHoleEndsAtTheDeadline) {
  auto devices = two_devices();
  devices[0].faults.vanishes = true;
  FakeFabric fabric(devices);
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) order.deadline_ns = 50'000'000;
  const BothEnds ends = run_both(fabric, write_bw, orders);
  ASSERT_TRUE(ends.active);
  ASSERT_FALSE(ends.active->figures);
  EXPECT_EQ(ends.active->figures.error().reason, GapReason::kTimedOut);
  EXPECT_THAT(ends.active->errors, ElementsAre(HasSubstr("the deadline of 50ms passed with 8 of 8 messages")));
  EXPECT_FALSE(ends.passive->data_intact);
  EXPECT_EQ(fabric.alive(), 0);
}

TEST(WriteBw, ABlackHoleInTheLastRoundGivesNoFigureEither) {
  auto devices = two_devices();
  devices[0].faults.vanishes = true;
  devices[0].faults.after = 104;
  FakeFabric fabric(devices);
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) order.deadline_ns = 50'000'000;
  const BothEnds ends = run_both(fabric, write_bw, orders);
  EXPECT_FALSE(ends.active->figures);
  EXPECT_FALSE(ends.passive->data_intact);
}

TEST(WriteBw, ADriverThatDoesNotFlushIsNamedAndNotWaitedForLong) {
  auto devices = two_devices();
  devices[0].faults.vanishes = true;
  devices[0].faults.never_flushes = true;
  FakeFabric fabric(devices);
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) order.deadline_ns = 20'000'000;
  const BothEnds ends = run_both(fabric, write_bw, orders);
  EXPECT_THAT(ends.active->errors, Contains(HasSubstr("8 messages did not even complete as flushed")));
}

TEST(WriteBw, SlowCompletionsAreWaitedForByEvent) {
  auto devices = two_devices();
  devices[0].faults.slow = std::chrono::milliseconds(2);
  FakeFabric fabric(devices);
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) order.messages = 10;
  const BothEnds ends = run_both(fabric, write_bw, orders);
  ASSERT_TRUE(ends.active->figures);
  EXPECT_EQ(ends.active->figures->at("messages"), 10);
  EXPECT_TRUE(ends.passive->data_intact);
  EXPECT_EQ(fabric.alive(), 0);
}

TEST(WriteBw, ARefusedPostStillLetsThePassiveEndGo) {
  auto devices = two_devices();
  devices[0].faults.refuse["post_send"] = ENOMEM;
  FakeFabric fabric(devices);
  const BothEnds ends = run_both(fabric, write_bw);
  ASSERT_TRUE(ends.active);
  ASSERT_FALSE(ends.active->figures);
  EXPECT_THAT(ends.active->errors, ElementsAre(HasSubstr("ibv_post_send on fake0")));
  EXPECT_TRUE(ends.passive);
  EXPECT_FALSE(ends.passive->data_intact);
}

TEST(WriteBw, APassiveEndThatLosesItsPeerSaysSo) {
  auto devices = two_devices();
  devices[0].faults.refuse["modify_qp RTR"] = ETIMEDOUT;
  FakeFabric fabric(devices);
  const BothEnds ends = run_both(fabric, write_bw);
  ASSERT_FALSE(ends.active);
  EXPECT_THAT(ends.active.error().message, HasSubstr("peer's address was not resolved"));
  ASSERT_FALSE(ends.passive);
  EXPECT_EQ(ends.passive.error().kind, ErrorKind::kClosed);
  EXPECT_EQ(fabric.alive(), 0);
}

TEST(WriteBw, APeerThatOffersTooLittleMemoryIsRefused) {
  FakeFabric fabric(two_devices());
  PairedExchange exchange;
  exchange.alter(1, [](Endpoint& told) { told.length = 10; });
  const BothEnds ends = run_both(fabric, write_bw, both_orders(), exchange);
  ASSERT_FALSE(ends.active);
  EXPECT_EQ(ends.active.error().kind, ErrorKind::kMalformed);
  EXPECT_THAT(ends.active.error().message, HasSubstr("10 bytes, wanted 8000"));
  // The passive end was left alone in its last wait: it has a half, and the half says why.
  ASSERT_TRUE(ends.passive);
  EXPECT_FALSE(ends.passive->figures);
}

}  // namespace
}  // namespace rocert
