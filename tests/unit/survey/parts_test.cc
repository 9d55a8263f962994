// GIDs, PCI functions, RDMA ports without netlink, and paths with placeholders.
#include <gtest/gtest.h>

#include "machine.h"
#include "survey/facts.h"
#include "survey/gids.h"
#include "survey/pci.h"
#include "survey/rdma.h"

namespace rocert {
namespace {

TEST(Gids, ReadsOnlyPopulatedEntriesOfASparseTableInOrder) {
  Machine machine;
  machine.add_gid("mlx5_0", 10, "eth0.5", "RoCE v2", "fd00:0000:0000:0000:0000:0000:0000:0001");
  machine.add_gid("mlx5_0", 2, "eth0", "IB/RoCE v1", "fe80:0000:0000:0000:0000:00ff:fe00:0100");
  const auto gids = read_gids(machine.host, "mlx5_0", 1);
  ASSERT_TRUE(gids) << to_text(gids.error());
  ASSERT_EQ(gids->size(), 2u);
  EXPECT_EQ((*gids)[0].index, 2u);
  EXPECT_EQ((*gids)[0].type, GidType::kRoceV1);
  EXPECT_EQ((*gids)[1].index, 10u);
  EXPECT_EQ((*gids)[1].netdev, "eth0.5");
  EXPECT_EQ(machine.asked("list"), 1u);
  EXPECT_EQ(machine.asked("read"), kGidTableLength + 2u * 2u);
}

TEST(Gids, AnEmptyTableIsAFact) {
  Machine machine;
  machine.add_gid("mlx5_0", 0, "", "", "");
  const auto gids = read_gids(machine.host, "mlx5_0", 1);
  ASSERT_TRUE(gids);
  EXPECT_TRUE(gids->empty());
}

TEST(Gids, WhatCannotBeReadIsAGapOfTheWhole) {
  const std::string folder = "/sys/class/infiniband/mlx5_0/ports/1/";
  const auto reason = [&](const std::string& path, Observed<std::string> content) {
    Machine machine;
    machine.add_gid("mlx5_0", 4, "eth0", "RoCE v2", "fd00:0000:0000:0000:0000:0000:0000:0001");
    machine.host.files[folder + path] = std::move(content);
    const auto gids = read_gids(machine.host, "mlx5_0", 1);
    return gids ? "none" : std::string(word_of(gids.error().reason));
  };
  EXPECT_EQ(reason("gid_attrs/ndevs/7", gap(GapReason::kDenied, "")), "denied");
  EXPECT_EQ(reason("gid_attrs/ndevs/7", gap(GapReason::kNotRecorded, "")), "not recorded");
  EXPECT_EQ(reason("gid_attrs/ndevs/x", "eth0"), "malformed");
  EXPECT_EQ(reason("gid_attrs/types/4", "RoCE v3\n"), "malformed");
  EXPECT_EQ(reason("gid_attrs/types/4", gap(GapReason::kUnreadable, "")), "unreadable");
  EXPECT_EQ(reason("gids/4", "198.18.0.1"), "malformed");
  EXPECT_EQ(reason("gids/4", "fe80::zz"), "malformed");
  MemoryHost nothing;
  EXPECT_EQ(read_gids(nothing, "mlx5_0", 1).error().reason, GapReason::kAbsent);
}

TEST(Pci, TellsFunctionsFromOtherDevices) {
  Machine machine;
  machine.add_pci("eth0", "10000:e1:00.7", "mlx5_core");
  machine.host.links["/sys/bus/pci/devices/10000:e1:00.7/physfn"] = "../10000:e1:00.0";
  machine.host.files["/sys/bus/pci/devices/10000:e1:00.7/numa_node"] = "-1\n";
  machine.host.files.erase("/sys/bus/pci/devices/10000:e1:00.7/current_link_speed");
  const auto parent = read_parent(machine.host, "eth0");
  EXPECT_EQ(parent, "10000:e1:00.7");
  const auto function = read_pci_function(machine.host, parent);
  ASSERT_TRUE(function) << to_text(function.error());
  EXPECT_TRUE(function->virtual_function);
  EXPECT_EQ(function->numa_node, std::nullopt);
  EXPECT_EQ(function->link_speed, "");
  for (const char* name :
       {"virtio0", "0000:40:00.8", "0000:40:00", "40:00.0", "0000:zz:00.0", "000g:40:00.0", "usb1"}) {
    EXPECT_EQ(read_pci_function(machine.host, std::string(name)).error().reason, GapReason::kNotSupported) << name;
  }
  EXPECT_EQ(read_pci_function(machine.host, read_parent(machine.host, "veth0")).error().reason, GapReason::kAbsent);
}

TEST(Pci, AnIdThatIsNoneIsAGap) {
  Machine machine;
  machine.add_pci("eth0", "0000:40:00.0", "mlx5_core");
  machine.host.files["/sys/bus/pci/devices/0000:40:00.0/device"] = "0x10210\n";
  EXPECT_EQ(read_pci_function(machine.host, std::string("0000:40:00.0")).error().reason, GapReason::kMalformed);
}

// One RDMA port that sysfs alone tells of.
void add_sysfs_port(Machine& machine, const std::string& layer, const std::string& node_type) {
  machine.add_gid("rocep1s0", 5, "eth0", "RoCE v2", "fd00:0000:0000:0000:0000:0000:0000:0001");
  const std::string folder = "/sys/class/infiniband/rocep1s0/";
  machine.host.files[folder + "node_type"] = node_type + "\n";
  machine.host.files[folder + "fw_ver"] = "28.39.1002\n";
  machine.host.files[folder + "ports/1/link_layer"] = layer + "\n";
  machine.host.files[folder + "ports/1/state"] = "4: ACTIVE\n";
  machine.host.files[folder + "ports/1/phys_state"] = "5: LinkUp\n";
  machine.host.links[folder + "device/driver"] = "../../../bus/pci/drivers/mlx5_core";
}

TEST(Rdma, FallsBackToSysfsWithoutNetlink) {
  Machine machine;
  add_sysfs_port(machine, "Ethernet", "1: CA");
  const auto ports = read_rdma_ports(machine.host);
  ASSERT_TRUE(ports) << to_text(ports.error());
  ASSERT_EQ(ports->size(), 1u);
  const RdmaPort& port = ports->front();
  EXPECT_EQ(port.device, "rocep1s0");
  EXPECT_EQ(port.netdev, "eth0");
  EXPECT_EQ(port.driver, "mlx5_core");
  EXPECT_EQ(port.firmware, "28.39.1002");
  EXPECT_EQ(port.state, "active");
  EXPECT_EQ(port.physical_state, "link_up");
  EXPECT_EQ(port.protocol, "");
  EXPECT_EQ(read_rdma_nature(machine.host, port).other, std::nullopt);
}

TEST(Rdma, WithNeitherTheGapIsNetlinks) {
  MemoryHost host;
  host.objects[RdmaPorts{}] = gap(GapReason::kNotSupported, "no RDMA netlink");
  EXPECT_EQ(read_rdma_ports(host).error(), (Gap{GapReason::kNotSupported, "no RDMA netlink"}));
  host.files["/sys/class/infiniband"] = gap(GapReason::kDenied, "closed");
  EXPECT_EQ(read_rdma_ports(host).error().reason, GapReason::kDenied);
}

TEST(Rdma, NatureBySysfsWhereNoProtocolIsTold) {
  const auto kind = [](const std::string& layer, const std::string& node_type) {
    Machine machine;
    add_sysfs_port(machine, layer, node_type);
    return read_rdma_nature(machine.host, {.device = "rocep1s0", .port = 1}).other;
  };
  EXPECT_EQ(kind("Ethernet", "1: CA"), std::nullopt);
  EXPECT_EQ(kind("Ethernet", "4: RNIC"), DeviceKind::kIwarp);
  EXPECT_EQ(kind("Ethernet", "7: UNSPECIFIED"), DeviceKind::kUnknownRdma);
  EXPECT_EQ(kind("InfiniBand", "1: CA"), DeviceKind::kInfiniband);
  EXPECT_EQ(kind("Unknown", "1: CA"), DeviceKind::kUnknownRdma);
  MemoryHost nothing;
  EXPECT_EQ(read_rdma_nature(nothing, {.device = "x"}).other, DeviceKind::kUnknownRdma);
}

TEST(Rdma, SoftRoceIsKnownByItsParentFileNotByTheFunctionBelow) {
  Machine machine;
  add_sysfs_port(machine, "Ethernet", "1: CA");
  machine.host.files["/sys/class/infiniband/rocep1s0/parent"] = "eth0\n";
  EXPECT_EQ(read_rdma_ports(machine.host)->front().driver, "rxe");
}

TEST(Facts, PlaceholdersAreOnePlainComponent) {
  const Placeholders values{
      {"netdev", "eth0"}, {"evil", "../.."}, {"empty", ""}, {"gone", gap(GapReason::kDenied, "pci")}};
  EXPECT_EQ(fill_in("/a/{netdev}/b/{netdev}", values), "/a/eth0/b/eth0");
  EXPECT_EQ(fill_in("/plain", values), "/plain");
  EXPECT_EQ(fill_in("/a/{evil}", values).error().reason, GapReason::kMalformed);
  EXPECT_EQ(fill_in("/a/{empty}", values).error().reason, GapReason::kMalformed);
  EXPECT_EQ(fill_in("/a/{gone}", values).error(), (Gap{GapReason::kDenied, "pci"}));
  EXPECT_EQ(fill_in("/a/{nobody}", values).error().reason, GapReason::kNotSupported);
  EXPECT_EQ(fill_in("/a/{netdev", values).error().reason, GapReason::kMalformed);
}

}  // namespace
}  // namespace rocert
