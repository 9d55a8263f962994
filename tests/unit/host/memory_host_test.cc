#include "host/memory_host.h"

#include <gmock/gmock.h>

namespace rocert {
namespace {

using ::testing::ElementsAre;

TEST(MemoryHost, AnswersFromItsMapsAndLogs) {
  MemoryHost host;
  host.files["/sys/class/net/eth0/mtu"] = "1500\n";
  host.files["/sys/kernel/debug/x"] = gap(GapReason::kDenied, "needs root");
  host.objects.emplace(RdmaSystemOf{}, KernelAnswer(RdmaSystem{false}));

  EXPECT_EQ(host.read("/sys/class/net/eth0/mtu", 10), "1500\n");
  EXPECT_EQ(host.read("/sys/kernel/debug/x", 10).error().reason, GapReason::kDenied);
  EXPECT_EQ(host.read("/nothing", 10).error().reason, GapReason::kAbsent);
  EXPECT_EQ(host.read("/sys/class/net/eth0/mtu", 4).error().reason, GapReason::kMalformed);
  EXPECT_EQ(host.read_at("/sys/class/net/eth0/mtu", 1, 2), "50");
  EXPECT_EQ(host.get(RdmaSystemOf{}), RdmaSystem{false});
  EXPECT_EQ(host.get(Links{}).error().reason, GapReason::kAbsent);
  EXPECT_THAT(host.log, ElementsAre("read /sys/class/net/eth0/mtu", "read /sys/kernel/debug/x", "read /nothing",
                                    "read /sys/class/net/eth0/mtu", "read /sys/class/net/eth0/mtu",
                                    "get kernel/rdma_system.json", "get kernel/links.json"));
}

TEST(MemoryHost, FollowsLinksOnTheWay) {
  MemoryHost host;
  host.links["/sys/class/net/eth0"] = "../../devices/pci0000:40/0000:40:00.0/net/eth0";
  host.links["/sys/devices/pci0000:40/0000:40:00.0/net/eth0/device"] = "../../../0000:40:00.0";
  host.files["/sys/devices/pci0000:40/0000:40:00.0/numa_node"] = "1\n";
  EXPECT_EQ(host.read("/sys/class/net/eth0/device/numa_node", 10), "1\n");
  EXPECT_EQ(host.link("/sys/class/net/eth0/device"), "../../../0000:40:00.0");
  EXPECT_THAT(host.list("/sys/class/net/eth0").value(), ElementsAre("device"));
  EXPECT_THAT(host.list("/sys/class/net").value(), ElementsAre("eth0"));
  EXPECT_THAT(host.list("/sys/class/net/eth0/device").value(), ElementsAre("net", "numa_node"));
  host.links["/loop"] = "/loop/again";
  EXPECT_FALSE(host.read("/loop/x", 10));
}

TEST(MemoryHost, FoldersAreMadeAndRemoved) {
  MemoryHost host;
  host.files["/sys/kernel/config/rdma_cm/"] = "";
  EXPECT_TRUE(host.list("/sys/kernel/config/rdma_cm").value().empty());
  ASSERT_TRUE(host.make("/sys/kernel/config/rdma_cm/mlx5_0"));
  EXPECT_FALSE(host.make("/sys/kernel/config/rdma_cm/mlx5_0"));
  EXPECT_THAT(host.list("/sys/kernel/config/rdma_cm").value(), ElementsAre("mlx5_0"));
  host.files["/sys/kernel/config/rdma_cm/mlx5_0/tos"] = "0";
  EXPECT_FALSE(host.remove("/sys/kernel/config/rdma_cm/mlx5_0"));
  host.files.erase("/sys/kernel/config/rdma_cm/mlx5_0/tos");
  ASSERT_TRUE(host.remove("/sys/kernel/config/rdma_cm/mlx5_0"));
  EXPECT_FALSE(host.remove("/sys/kernel/config/rdma_cm/mlx5_0"));
}

TEST(MemoryHost, WritesAreStoredRefusedOrClamped) {
  MemoryHost host;
  host.files["/a"] = "1";
  ASSERT_TRUE(host.write("/a", "2"));
  EXPECT_EQ(host.read("/a", 10), "2");
  EXPECT_FALSE(host.write("/absent", "2"));
  host.files["/pci"] = std::string(4, 'x');
  ASSERT_TRUE(host.write_at("/pci", 1, "yy"));
  EXPECT_EQ(host.read("/pci", 10), "xyyx");
  EXPECT_FALSE(host.write_at("/pci", 3, "yy"));

  host.on_write = [](MemoryHost& self, const std::string& path, std::string_view text) -> Result<> {
    if (text == "9") return fail(ErrorKind::kSystem, path + ": invalid");
    return self.store(path, "7");
  };
  EXPECT_FALSE(host.write("/a", "9"));
  EXPECT_EQ(host.read("/a", 10), "2");
  EXPECT_TRUE(host.write("/a", "8"));
  EXPECT_EQ(host.read("/a", 10), "7");
}

TEST(MemoryHost, KernelWritesChangeTheObjects) {
  MemoryHost host;
  Link link;
  link.ifindex = 3;
  link.mtu = 1500;
  host.objects.emplace(Links{}, KernelAnswer(std::vector<Link>{link}));
  host.objects.emplace(DcbOf{"eth0"}, KernelAnswer(Dcb{}));
  ASSERT_TRUE(host.apply(SetMtu{3, 9000}));
  EXPECT_EQ(host.get(Links{}).value()[0].mtu, 9000u);
  EXPECT_FALSE(host.apply(SetMtu{4, 9000}));
  ASSERT_TRUE(host.apply(SetPfc{"eth0", Pfc{8, 8}}));
  EXPECT_EQ(host.get(DcbOf{"eth0"}).value().pfc->enabled, 8);
  ASSERT_TRUE(host.apply(AddApp{"eth0", {kAppDscp, 3, 26}}));
  EXPECT_FALSE(host.apply(AddApp{"eth0", {kAppDscp, 3, 26}}));
  ASSERT_TRUE(host.apply(RemoveApp{"eth0", {kAppDscp, 3, 26}}));
  EXPECT_FALSE(host.apply(RemoveApp{"eth0", {kAppDscp, 3, 26}}));
  EXPECT_FALSE(host.apply(SetPfc{"eth1", Pfc{8, 8}}));

  host.on_apply = [](MemoryHost&, const KernelWrite&) -> Result<> { return fail(ErrorKind::kSystem, "refused"); };
  EXPECT_FALSE(host.apply(SetMtu{3, 1500}));
  EXPECT_EQ(host.get(Links{}).value()[0].mtu, 9000u);
}

}  // namespace
}  // namespace rocert
