#include "host/netlink/rdma.h"

#include <gtest/gtest.h>
#include <rdma/rdma_netlink.h>

#include <cerrno>

#include "host/linux_host.h"
#include "unit/host/bytes_builder.h"

namespace rocert::netlink {
namespace {

Buffer named() {
  return join({number<uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX, 2), attribute(RDMA_NLDEV_ATTR_DEV_NAME, text("mlx5_0"))});
}

TEST(ParseRdma, DeviceAndPort) {
  const Buffer device_message = join({named(), attribute(RDMA_NLDEV_ATTR_FW_VERSION, text("28.39.1002")),
                                      attribute(RDMA_NLDEV_ATTR_DEV_PROTOCOL, text("roce"))});
  const auto device = parse_rdma_device(device_message);
  ASSERT_TRUE(device && *device);
  EXPECT_EQ((*device)->device, "mlx5_0");
  EXPECT_EQ((*device)->device_index, 2u);
  EXPECT_EQ((*device)->protocol, "roce");
  EXPECT_EQ((*device)->firmware, "28.39.1002");

  const Buffer port_message =
      join({named(), number<uint32_t>(RDMA_NLDEV_ATTR_PORT_INDEX, 1), number<uint8_t>(RDMA_NLDEV_ATTR_PORT_STATE, 4),
            number<uint8_t>(RDMA_NLDEV_ATTR_PORT_PHYS_STATE, 5), number<uint32_t>(RDMA_NLDEV_ATTR_NDEV_INDEX, 7),
            attribute(RDMA_NLDEV_ATTR_NDEV_NAME, text("eth2"))});
  const auto port = parse_rdma_port(port_message);
  ASSERT_TRUE(port && *port);
  EXPECT_EQ((*port)->port, 1u);
  EXPECT_EQ((*port)->state, "active");
  EXPECT_EQ((*port)->physical_state, "link_up");
  EXPECT_EQ((*port)->netdev, "eth2");
  EXPECT_EQ((*port)->netdev_ifindex, 7);

  EXPECT_EQ(parse_rdma_port(named()).error().reason, GapReason::kMalformed);
  EXPECT_EQ(parse_rdma_device(Buffer{}).error().reason, GapReason::kMalformed);
  mangle(device_message, parse_rdma_device);
  mangle(port_message, parse_rdma_port);
}

TEST(ParseRdma, DriverByItsNumberInEitherWidth) {
  EXPECT_EQ(parse_rdma_driver(number<uint32_t>(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, 14)), "rxe");
  EXPECT_EQ(parse_rdma_driver(number<uint64_t>(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, 1)), "mlx5_ib");
  EXPECT_EQ(parse_rdma_driver(number<uint32_t>(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, 99)), "99");
  EXPECT_EQ(parse_rdma_driver(Buffer{}), "");
}

TEST(ParseRdma, SystemAndCounters) {
  EXPECT_TRUE(parse_rdma_system(number<uint8_t>(RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 1))->netns_shared);
  EXPECT_FALSE(parse_rdma_system(number<uint8_t>(RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 0))->netns_shared);
  EXPECT_FALSE(parse_rdma_system(Buffer{}));

  const auto entry = [](std::string_view name, uint64_t value) {
    return attribute(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY,
                     join({attribute(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, text(name)),
                           number<uint64_t>(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, value)}));
  };
  const Buffer message =
      join({named(), attribute(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, join({entry("sent_pkts", 9), entry("RNR sent", 2)}))});
  EXPECT_EQ(parse_rdma_statistics(message).value(), (Counters{{"RNR sent", 2}, {"sent_pkts", 9}}));
  EXPECT_FALSE(parse_rdma_statistics(named()));
  mangle(message, parse_rdma_statistics);
}

TEST(Rdma, NoSubsystemIsNotTheSameAsNoDevice) {
  Rdma rdma;
  const int error = rdma.open();
  if (error == 0) GTEST_SKIP() << "this kernel has an RDMA subsystem";
  EXPECT_EQ(error, EPROTONOSUPPORT);
  const auto host = open_linux_host();
  const auto ports = host->get(RdmaPorts{});
  ASSERT_FALSE(ports);
  EXPECT_EQ(ports.error().reason, GapReason::kNotSupported);
  EXPECT_NE(ports.error().detail.find("no RDMA subsystem"), std::string::npos) << ports.error().detail;
}

}  // namespace
}  // namespace rocert::netlink
