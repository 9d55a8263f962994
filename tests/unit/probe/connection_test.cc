#include "probe/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "both_ends.h"

namespace rocert {
namespace {

using namespace testing_support;
using probes::write_bw;
using testing::AllOf;
using testing::HasSubstr;

struct Refusal {
  const char* call;
  int number;
  const char* says;
};

class ConnectionRefused : public testing::TestWithParam<Refusal> {};

TEST_P(ConnectionRefused, NamesTheCallAndLeavesNothingBehind) {
  auto devices = two_devices();
  devices[0].faults.refuse[GetParam().call] = GetParam().number;
  FakeFabric fabric(devices);
  const BothEnds ends = run_both(fabric, write_bw);
  ASSERT_FALSE(ends.active);
  EXPECT_THAT(ends.active.error().message, AllOf(HasSubstr("fake0"), HasSubstr(GetParam().says)));
  ASSERT_FALSE(ends.passive);
  EXPECT_EQ(ends.passive.error().kind, ErrorKind::kClosed);
  EXPECT_EQ(fabric.alive(), 0);
}

INSTANTIATE_TEST_SUITE_P(Calls, ConnectionRefused,
                         testing::Values(Refusal{"open_device", EACCES, "no right to open /dev/infiniband"},
                                         Refusal{"open_device", ENODEV, "is ib_uverbs loaded"},
                                         Refusal{"query_port", EIO, "ibv_query_port"},
                                         Refusal{"query_gid_ex", EIO, "ibv_query_gid_ex"},
                                         Refusal{"alloc_pd", ENOMEM, "ibv_alloc_pd"},
                                         Refusal{"reg_mr", ENOMEM, "raise the memlock limit"},
                                         Refusal{"reg_mr", EPERM, "ibv_reg_mr of 8000 bytes"},
                                         Refusal{"create_comp_channel", EMFILE, "ibv_create_comp_channel"},
                                         Refusal{"create_cq", ENOMEM, "ibv_create_cq"},
                                         Refusal{"create_qp", EINVAL, "ibv_create_qp for 8 sends"},
                                         Refusal{"modify_qp INIT", EINVAL, "ibv_modify_qp to INIT"},
                                         Refusal{"modify_qp RTR", EINVAL, "the GID or the route was refused"},
                                         Refusal{"modify_qp RTR", ETIMEDOUT, "(peer 198.18.0.2, GID index 1)"},
                                         Refusal{"modify_qp RTR", ENETUNREACH, "no route leads to the peer's address"},
                                         Refusal{"modify_qp RTS", EINVAL, "ibv_modify_qp to RTS"}));

TEST(Connection, AMissingDeviceIsNamedWithThoseThatAreThere) {
  FakeFabric fabric(two_devices());
  Orders orders = both_orders();
  orders[0].self.rdma_device = "mlx5_7";
  const BothEnds ends = run_both(fabric, write_bw, orders);
  ASSERT_FALSE(ends.active);
  EXPECT_THAT(ends.active.error().message, HasSubstr("no RDMA device mlx5_7: verbs see fake0, fake1"));
}

TEST(Connection, APortThatIsDownIsRefused) {
  auto devices = two_devices();
  devices[0].state = IBV_PORT_DOWN;
  FakeFabric fabric(devices);
  const BothEnds ends = run_both(fabric, write_bw);
  ASSERT_FALSE(ends.active);
  EXPECT_THAT(ends.active.error().message, HasSubstr("fake0 port 1 is not active (state 1, wanted 4 ACTIVE)"));
}

TEST(Connection, AnInfinibandPortIsRefused) {
  auto devices = two_devices();
  devices[0].link_layer = IBV_LINK_LAYER_INFINIBAND;
  FakeFabric fabric(devices);
  EXPECT_THAT(run_both(fabric, write_bw).active.error().message, HasSubstr("RoCE wants Ethernet"));
}

TEST(Connection, APeerThatTalksNonsenseIsRefused) {
  FakeFabric fabric(two_devices());
  PairedExchange exchange;
  exchange.alter(1, [](Endpoint& told) { told.mtu = 1500; });
  const BothEnds ends = run_both(fabric, write_bw, both_orders(), exchange);
  ASSERT_FALSE(ends.active);
  EXPECT_EQ(ends.active.error().kind, ErrorKind::kMalformed);
}

TEST(Connection, AnExchangeThatEndsEndsTheProbe) {
  FakeFabric fabric(two_devices());
  const Exchange exchange{.meet = [](const Endpoint&) -> Result<Endpoint> { return fail(ErrorKind::kTimeout, "late"); },
                          .barrier = [](std::string_view) -> Result<> { return {}; }};
  const auto half = write_bw.run(fabric.verbs(), order_for(Side::kActive), exchange);
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error(), (Error{ErrorKind::kTimeout, "late", {}}));
  EXPECT_EQ(fabric.alive(), 0);
}

struct BadOrder {
  void (*spoil)(ProbeOrder&);
  const char* says;
};

class OrderRefused : public testing::TestWithParam<BadOrder> {};

TEST_P(OrderRefused, SaysWhatWasSeenAndWanted) {
  ProbeOrder order = order_for(Side::kActive);
  ASSERT_TRUE(check_order(order));
  GetParam().spoil(order);
  const auto checked = check_order(order);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(checked.error().message, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Orders, OrderRefused,
    testing::Values(BadOrder{[](ProbeOrder& order) { order.size = 0; }, "size is 0, wanted 1 byte to 256 MiB"},
                    BadOrder{[](ProbeOrder& order) { order.size = (1u << 28) + 1; }, "size is 268435457"},
                    BadOrder{[](ProbeOrder& order) { order.depth = 0; }, "depth is 0"},
                    BadOrder{[](ProbeOrder& order) { order.mtu = 1500; }, "mtu is 1500"},
                    BadOrder{[](ProbeOrder& order) { order.traffic_class = 256; }, "traffic_class is 256"},
                    BadOrder{[](ProbeOrder& order) { order.self.rdma_port = 0; }, "rdma_port is 0"},
                    BadOrder{[](ProbeOrder& order) { order.timeout = 0; }, "0 would wait for ever"},
                    BadOrder{[](ProbeOrder& order) { order.timeout = 32; }, "timeout is 32"},
                    BadOrder{[](ProbeOrder& order) { order.retries = 7; }, "7 would be for ever on soft-RoCE"},
                    BadOrder{[](ProbeOrder& order) { order.deadline_ns = 0; }, "deadline_ns is 0"},
                    BadOrder{[](ProbeOrder& order) { order.deadline_ns = UINT64_MAX; }, "at most an hour"},
                    BadOrder{[](ProbeOrder& order) {
                               order.messages = 0;
                               order.duration_ns = order.deadline_ns;
                             },
                             "less than deadline_ns"}));

TEST(LongestSilence, CoversAllRetriesOfAConnection) {
  const ProbeOrder order{.timeout = 14};  // 67.1 ms, 6 retries
  EXPECT_GT(longest_silence(order), std::chrono::milliseconds(7 * 67));
  EXPECT_LT(longest_silence(order), std::chrono::seconds(3));
}

}  // namespace
}  // namespace rocert
