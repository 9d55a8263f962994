#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "both_ends.h"

namespace rocert {
namespace {

using namespace testing_support;
using probes::send_lat;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Orders small_orders() {
  Orders orders = both_orders();
  for (ProbeOrder& order : orders) order.size = 64;
  return orders;
}

TEST(SendLat, MeasuresAGivenNumberOfRoundTrips) {
  FakeFabric fabric(two_devices());
  const BothEnds ends = run_both(fabric, send_lat, small_orders());
  ASSERT_TRUE(ends.active) << ends.active.error().message;
  ASSERT_TRUE(ends.active->figures) << to_text(ends.active->figures.error());
  const Figures& figures = *ends.active->figures;
  EXPECT_EQ(figures.at("messages"), 100);
  EXPECT_GT(figures.at("p50_ns"), 0);
  EXPECT_LE(figures.at("p50_ns"), figures.at("p99_ns"));
  EXPECT_LE(figures.at("p99_ns"), figures.at("max_ns"));
  EXPECT_LE(figures.at("max_ns"), figures.at("duration_ns"));
  EXPECT_TRUE(ends.active->data_intact);
  ASSERT_TRUE(ends.passive->figures) << to_text(ends.passive->figures.error());
  EXPECT_EQ(ends.passive->figures->at("messages"), 111);  // a tenth and one to warm up
  EXPECT_TRUE(ends.passive->data_intact);
  EXPECT_THAT(ends.active->errors, IsEmpty());
  EXPECT_THAT(ends.passive->errors, IsEmpty());
  EXPECT_EQ(fabric.alive(), 0);
}

TEST(SendLat, WithoutACountRunsUntilTheDurationIsOver) {
  FakeFabric fabric(two_devices());
  Orders orders = small_orders();
  for (ProbeOrder& order : orders) {
    order.messages = 0;
    order.duration_ns = 20'000'000;
  }
  const BothEnds ends = run_both(fabric, send_lat, orders);
  ASSERT_TRUE(ends.active->figures) << to_text(ends.active->figures.error());
  const double messages = ends.active->figures->at("messages");
  EXPECT_GE(messages, 1);
  EXPECT_EQ(ends.passive->figures->at("messages"), messages + 100);
}

TEST(SendLat, OneMessageIsEnough) {
  FakeFabric fabric(two_devices());
  Orders orders = small_orders();
  for (ProbeOrder& order : orders) order.messages = 1;
  const BothEnds ends = run_both(fabric, send_lat, orders);
  ASSERT_TRUE(ends.active->figures);
  EXPECT_EQ(ends.active->figures->at("p99_ns"), ends.active->figures->at("max_ns"));
}

class SendLatDamage : public testing::TestWithParam<size_t> {};

TEST_P(SendLatDamage, IsFoundByTheEndThatReceivesIt) {
  auto devices = two_devices();
  devices[GetParam()].faults.arrives_damaged = true;
  devices[GetParam()].faults.after = 37;
  FakeFabric fabric(devices);
  const BothEnds ends = run_both(fabric, send_lat, small_orders());
  EXPECT_TRUE(ends.active->figures);
  EXPECT_EQ(ends.active->data_intact, GetParam() == 0);
  EXPECT_EQ(ends.passive->data_intact, GetParam() == 1);
  const auto& errors = GetParam() == 0 ? ends.passive->errors : ends.active->errors;
  EXPECT_THAT(errors, ElementsAre(HasSubstr("message 38: byte 32 of 64")));
}

INSTANTIATE_TEST_SUITE_P(Device, SendLatDamage, testing::Values(0, 1));

TEST(SendLat, ABlackHoleEndsBothEnds) {
  auto devices = two_devices();
  devices[0].faults.vanishes = true;
  FakeFabric fabric(devices);
  Orders orders = small_orders();
  for (ProbeOrder& order : orders) order.deadline_ns = 50'000'000;
  const BothEnds ends = run_both(fabric, send_lat, orders);
  for (const auto* half : {&*ends.active, &*ends.passive}) {
    ASSERT_FALSE(half->figures);
    EXPECT_EQ(half->figures.error().reason, GapReason::kTimedOut);
    EXPECT_THAT(half->errors, Contains(HasSubstr("the deadline of 50ms passed")));
    EXPECT_FALSE(half->data_intact);
  }
  EXPECT_THAT(ends.active->errors[0], HasSubstr("0 messages had come, 1 sent ones were not acknowledged"));
  EXPECT_EQ(fabric.alive(), 0);
}

TEST(SendLat, APassiveEndDoesNotWaitForADeadPeerUntilTheDeadline) {
  auto devices = two_devices();
  devices[0].faults.fails_with = IBV_WC_RETRY_EXC_ERR;
  FakeFabric fabric(devices);
  Orders orders = small_orders();
  for (ProbeOrder& order : orders) {
    order.deadline_ns = 3'000'000'000'000;  // longer than the test may take
    order.timeout = 1;
    order.retries = 0;
  }
  const BothEnds ends = run_both(fabric, send_lat, orders);
  EXPECT_THAT(ends.active->errors, Contains(HasSubstr("RETRY_EXC_ERR")));
  EXPECT_EQ(ends.active->figures.error().reason, GapReason::kTimedOut);
  EXPECT_THAT(ends.passive->errors, Contains(HasSubstr("no message for")));
}

TEST(SendLat, AMissingReceiveBufferIsSaidSo) {
  auto devices = two_devices();
  devices[0].faults.fails_with = IBV_WC_RNR_RETRY_EXC_ERR;
  devices[0].faults.after = 3;
  FakeFabric fabric(devices);
  Orders orders = small_orders();
  for (ProbeOrder& order : orders) order.timeout = 1;
  const BothEnds ends = run_both(fabric, send_lat, orders);
  EXPECT_THAT(ends.active->errors, Contains(HasSubstr("its process is stalled")));
}

TEST(SendLat, ASlowWireIsPatientlyPolled) {
  auto devices = two_devices();
  for (FakeDevice& device : devices) device.faults.slow = std::chrono::milliseconds(1);
  FakeFabric fabric(devices);
  Orders orders = small_orders();
  for (ProbeOrder& order : orders) order.messages = 5;
  const BothEnds ends = run_both(fabric, send_lat, orders);
  ASSERT_TRUE(ends.active->figures);
  EXPECT_GE(ends.active->figures->at("p50_ns"), 1e6);  // the wire waits at least so long each way
}

TEST(SendLat, ARefusedReceiveIsAnError) {
  auto devices = two_devices();
  devices[1].faults.refuse["post_recv"] = ENOMEM;
  FakeFabric fabric(devices);
  const BothEnds ends = run_both(fabric, send_lat, small_orders());
  ASSERT_FALSE(ends.passive);
  EXPECT_THAT(ends.passive.error().message, HasSubstr("ibv_post_recv on fake1"));
  ASSERT_FALSE(ends.active);
  EXPECT_EQ(ends.active.error().kind, ErrorKind::kClosed);
}

}  // namespace
}  // namespace rocert
