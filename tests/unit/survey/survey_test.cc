#include "survey/survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine.h"
#include "registry/drivers.h"

namespace rocert {
namespace {

using testing::ElementsAre;

Snapshot take(Machine& machine, std::vector<Fact> facts = {}) {
  return survey(machine.ready(),
                {.facts = std::move(facts), .drivers = registry::drivers(), .taken_at = "2026-11-30T22:55:13Z"});
}

std::vector<std::string> others(const Snapshot& snapshot) {
  std::vector<std::string> lines;
  for (const OtherDevice& other : snapshot.others)
    lines.push_back(other.name + ": " + std::string(word_of(other.kind)) + ": " + other.why);
  return lines;
}

std::vector<std::string> members(const Port& port) {
  std::vector<std::string> names;
  for (const Member& member : port.members) names.push_back(member.netdev);
  return names;
}

TEST(Survey, EmptyHostIsAllGaps) {
  MemoryHost host;
  const Snapshot snapshot = survey(host, {});
  EXPECT_EQ(tally(snapshot).facts, 0u);
  EXPECT_EQ(tally(snapshot).gaps, 11u);
  EXPECT_EQ(snapshot.rdma_ports.error().reason, GapReason::kAbsent);
  EXPECT_TRUE(snapshot.ports.empty());
  EXPECT_TRUE(snapshot.others.empty());
  EXPECT_EQ(snapshot.host.name, "");
}

TEST(Survey, ReadsIdentityAndOnePort) {
  Machine machine;
  machine.add_port("eth2", "rocep1s0", "0000:40:00.0");
  const Snapshot snapshot = take(machine);
  EXPECT_EQ(snapshot.taken_at, "2026-11-30T22:55:13Z");
  EXPECT_EQ(snapshot.host.name, "n17");
  EXPECT_EQ(snapshot.host.kernel, "6.1.0-30-amd64");
  EXPECT_EQ(snapshot.host.product.error().reason, GapReason::kDenied);

  ASSERT_EQ(snapshot.ports.size(), 1u);
  const Port& port = snapshot.ports[0];
  EXPECT_EQ(port.link.mtu, 4200u);
  EXPECT_EQ(port.rdma.device, "rocep1s0");
  EXPECT_EQ(port.rdma.netdev_ifindex, 2);
  ASSERT_EQ(port.addresses.size(), 1u);
  EXPECT_EQ(to_text(port.addresses[0].local), "198.18.0.1/24");
  ASSERT_TRUE(port.gids);
  ASSERT_EQ(port.gids->size(), 2u);
  EXPECT_EQ((*port.gids)[1].index, 3u);
  EXPECT_EQ((*port.gids)[1].type, GidType::kRoceV2);
  EXPECT_EQ(to_text((*port.gids)[1].address()), "198.18.0.1");
  EXPECT_EQ(port.attributes->active_mtu, 4096u);
  EXPECT_EQ(port.rdma_statistics->at("out_of_sequence"), 2u);

  ASSERT_EQ(port.members.size(), 1u);
  const Member& member = port.members[0];
  EXPECT_EQ(member.dcb->pfc->enabled, 8);
  EXPECT_EQ(member.statistics->at("rx_prio3_pause"), 7u);
  EXPECT_EQ(member.pause.error().reason, GapReason::kAbsent);
  EXPECT_EQ(member.pci->driver, "mlx5_core");
  EXPECT_EQ(member.pci->device, 0x1021);
  EXPECT_EQ(member.pci->link_speed, "32.0 GT/s PCIe");
  EXPECT_EQ(member.pci->numa_node, 1);
  EXPECT_FALSE(member.pci->virtual_function);
  EXPECT_THAT(others(snapshot), ElementsAre("lo: virtual: loopback"));
}

TEST(Survey, TellsDevicesApartByWhatTheyAre) {
  Machine machine;
  machine.add_port("mgmt0", "mlx5_0", "0000:40:00.0");  // named as a management port, and a RoCE port all the same
  machine.add_link("roce9");
  machine.add_pci("roce9", "0000:05:00.0", "igb");
  machine.add_link("eth5");
  machine.host.links["/sys/class/net/eth5/device"] = "../../../virtio0";
  machine.add_link("mlx5_fake");
  machine.add_link("br0", "bridge");
  machine.add_link("ib0").type = 32;
  Link& representor = machine.add_link("eth2_rep");
  representor.phys_switch_id = "aabb";
  representor.phys_port_name = "pf0vf3";
  machine.add_link("eth6");
  machine.host.files["/sys/class/net/eth6/device"] = "";  // no link: absent
  machine.add_rdma("ibp1s0", "", "ib");
  machine.add_link("eth7");
  machine.add_rdma("iwp1s0", "eth7", "iw");
  machine.add_rdma("efa_0", "", "").driver = "efa";
  machine.add_rdma("hfi1_0", "", "opa");
  const Snapshot snapshot = take(machine);
  ASSERT_EQ(snapshot.ports.size(), 1u);
  EXPECT_EQ(snapshot.ports[0].netdev(), "mgmt0");
  EXPECT_THAT(
      others(snapshot),
      ElementsAre("br0: virtual: link kind bridge", "efa_0/1: efa: driver efa", "eth2_rep: virtual: representor pf0vf3",
                  "eth5: management: device virtio0 without RDMA", "eth6: virtual: no device below",
                  "eth7: iwarp: protocol iw", "hfi1_0/1: unknown rdma: protocol opa",
                  "ib0: infiniband: link type InfiniBand", "ibp1s0/1: infiniband: protocol ib", "lo: virtual: loopback",
                  "mlx5_fake: virtual: no device below", "roce9: management: device 0000:05:00.0 without RDMA"));
}

TEST(Survey, ARocePortWithoutItsNetdevDoesNotVanish) {
  Machine machine;
  machine.add_rdma("mlx5_0", "");
  machine.add_rdma("mlx5_1", "eth8");
  const Snapshot snapshot = take(machine);
  EXPECT_TRUE(snapshot.ports.empty());
  EXPECT_THAT(others(snapshot),
              ElementsAre("eth8: unknown rdma: protocol roce, but netdev eth8 is not to be seen",
                          "lo: virtual: loopback", "mlx5_0/1: unknown rdma: protocol roce, but no netdev"));
}

TEST(Survey, WithoutLinksARocePortIsListedAndNotJudgedByZeros) {
  Machine machine;
  machine.add_port("eth2", "mlx5_0", "0000:40:00.0");
  machine.ready().objects[Links{}] = gap(GapReason::kDenied, "links");
  const Snapshot snapshot = survey(machine.host, {});
  EXPECT_TRUE(snapshot.ports.empty());
  EXPECT_EQ(snapshot.others.at(0).kind, DeviceKind::kUnknownRdma);
}

TEST(Survey, PortsAreOrderedByNetdevThenDevice) {
  Machine machine;
  machine.add_port("eth3", "mlx5_0", "0000:41:00.0");
  machine.add_port("eth2", "mlx5_1", "0000:40:00.0");
  machine.add_rdma("rxe0", "eth3").driver = "rxe";
  const Snapshot snapshot = take(machine);
  std::vector<std::string> names;
  for (const Port& port : snapshot.ports) names.push_back(port.netdev() + " " + port.rdma.device);
  EXPECT_THAT(names, ElementsAre("eth2 mlx5_1", "eth3 mlx5_0", "eth3 rxe0"));
}

TEST(Survey, BondUnderOneDeviceHasAllItsSlaves) {
  Machine machine;
  machine.add_port("eth2", "mlx5_bond_0", "0000:40:00.0");
  machine.add_link("eth3");
  machine.add_pci("eth3", "0000:40:00.1", "mlx5_core");
  const int bond = machine.add_link("bond0", "bond").ifindex;
  machine.links[1].master = machine.links[2].master = bond;
  machine.addresses[0].ifindex = bond;
  const Snapshot snapshot = take(machine);
  ASSERT_EQ(snapshot.ports.size(), 1u);
  EXPECT_EQ(snapshot.ports[0].netdev(), "bond0");
  EXPECT_EQ(snapshot.ports[0].rdma.netdev, "eth2");
  EXPECT_EQ(snapshot.ports[0].addresses.size(), 1u);
  EXPECT_THAT(members(snapshot.ports[0]), ElementsAre("eth2", "eth3"));
  EXPECT_THAT(others(snapshot), ElementsAre("lo: virtual: loopback"));
}

TEST(Survey, BondUnderTwoDevicesGivesEachItsOwnSlave) {
  Machine machine;
  machine.add_port("eth2", "mlx5_0", "0000:40:00.0");
  machine.add_port("eth3", "mlx5_1", "0000:40:00.1");
  const int bond = machine.add_link("bond0", "bond").ifindex;
  machine.links[1].master = machine.links[2].master = bond;
  const Snapshot snapshot = take(machine);
  ASSERT_EQ(snapshot.ports.size(), 2u);
  EXPECT_EQ(snapshot.ports[1].netdev(), "bond0");
  EXPECT_THAT(members(snapshot.ports[0]), ElementsAre("eth2"));
  EXPECT_THAT(members(snapshot.ports[1]), ElementsAre("eth3"));
}

TEST(Survey, MembersLieBelowVlanAndMacvlanButNotBelowVeth) {
  Machine machine;
  machine.add_link("eth2");
  machine.add_pci("eth2", "0000:40:00.0", "ice");
  machine.add_link("eth2.5", "vlan").lower = 2;
  machine.add_link("mac0", "macvlan").lower = 3;
  machine.add_link("veth0", "veth").lower = 2;
  machine.add_link("loop0", "vlan").lower = 6;  // on itself
  for (const char* netdev : {"mac0", "veth0", "loop0"}) machine.add_rdma(std::string("rxe_") + netdev, netdev);
  const Snapshot snapshot = take(machine);
  ASSERT_EQ(snapshot.ports.size(), 3u);
  EXPECT_THAT(members(snapshot.ports[0]), ElementsAre());
  EXPECT_THAT(members(snapshot.ports[1]), ElementsAre("eth2"));
  EXPECT_THAT(members(snapshot.ports[2]), ElementsAre());
}

TEST(Survey, ReadsDeclaredFactsAtTheirScope) {
  Machine machine;
  machine.add_port("eth2", "mlx5_0", "0000:40:00.0");
  auto& files = machine.host.files;
  files["/proc/sys/net/ipv4/conf/all/rp_filter"] = "2\n";
  files["/proc/sys/net/ipv4/conf/eth2/rp_filter"] = "0\n";
  files["/sys/class/net/eth2/qos/trust"] = "dscp\n";
  files["/sys/class/infiniband/mlx5_0/tc/1/traffic_class"] = "Global tclass=106\n";
  files["/sys/bus/pci/devices/0000:40:00.0/enable"] = std::string(100, '1');
  const std::vector<Fact> facts{
      {"all", Scope::kHost, "/proc/sys/net/ipv4/conf/all/rp_filter"},
      {"own", Scope::kPort, "/proc/sys/net/ipv4/conf/{netdev}/rp_filter"},
      {"tc", Scope::kPort, "/sys/class/infiniband/{rdma}/tc/{rdma_port}/traffic_class"},
      {"long", Scope::kMember, "/sys/bus/pci/devices/{bdf}/enable", 10},
      {"gone", Scope::kPort, "/sys/class/net/{netdev}/gone"},
      {"misplaced", Scope::kHost, "/sys/class/net/{netdev}/mtu"},
      {"own", Scope::kPort, "/proc/sys/net/ipv4/conf/{netdev}/rp_filter"},  // another unit declares it too
  };
  const Snapshot snapshot = take(machine, facts);
  const Port& port = snapshot.ports.at(0);
  EXPECT_EQ(find_fact(snapshot.facts, "all"), "2");
  EXPECT_EQ(find_fact(snapshot.facts, "misplaced").error(),
            (Gap{GapReason::kNotSupported, "{netdev} means nothing at this scope"}));
  EXPECT_EQ(find_fact(port.facts, "own"), "0");
  EXPECT_EQ(find_fact(port.facts, "tc"), "Global tclass=106");
  EXPECT_EQ(find_fact(port.facts, "gone").error().reason, GapReason::kAbsent);
  EXPECT_EQ(find_fact(port.facts, "all").error().reason, GapReason::kNotAsked);
  EXPECT_EQ(find_fact(port.members.at(0).facts, "mlx5.trust"), "dscp") << "the driver's own file";
  EXPECT_EQ(find_fact(port.members.at(0).facts, "long").error().reason, GapReason::kMalformed);
  EXPECT_EQ(std::count(machine.host.log.begin(), machine.host.log.end(), "read /proc/sys/net/ipv4/conf/eth2/rp_filter"),
            1);
}

TEST(Survey, ABdfThatIsNotOneIsAGap) {
  Machine machine;
  machine.add_port("eth2", "mlx5_bond_0", "0000:40:00.0");
  machine.add_link("eth3");
  machine.host.links["/sys/class/net/eth3/device"] = "../../../mlx5_core.sf.4";
  machine.links[1].master = machine.links[2].master = machine.add_link("bond0", "bond").ifindex;
  const std::vector<Fact> facts{{"port", Scope::kPort, "/sys/bus/pci/devices/{bdf}/x"},
                                {"member", Scope::kMember, "/sys/bus/pci/devices/{bdf}/x"}};
  const Snapshot snapshot = take(machine, facts);
  const Port& port = snapshot.ports.at(0);
  EXPECT_EQ(find_fact(port.facts, "port").error().detail, "bond0 stands on 2 functions, not on one");
  EXPECT_EQ(find_fact(port.members.at(0).facts, "member").error().reason, GapReason::kAbsent);
  EXPECT_EQ(find_fact(port.members.at(1).facts, "member").error().detail,
            "its device is mlx5_core.sf.4, not a PCI function");
}

TEST(Survey, ReadsNothingTwiceAndWritesNothing) {
  Machine machine;
  for (int i = 0; i < 3; ++i)
    machine.add_port(fmt::format("eth{}", i), fmt::format("mlx5_{}", i), fmt::format("0000:4{}:00.0", i));
  take(machine);
  std::vector<std::string> log = machine.host.log;
  std::sort(log.begin(), log.end());
  EXPECT_EQ(std::adjacent_find(log.begin(), log.end()), log.end());
  EXPECT_EQ(machine.asked("write") + machine.asked("apply") + machine.asked("make") + machine.asked("remove"), 0u);
}

// The bound that the design asks for: per port its GID table once, two reads for each entry, and a fixed rest.
TEST(Survey, CostOfAnEightPortHostIsBounded) {
  constexpr size_t kPorts = 8;
  Machine machine;
  for (size_t i = 0; i < kPorts; ++i)
    machine.add_port(fmt::format("eth{}", i), fmt::format("mlx5_{}", i), fmt::format("0000:4{}:00.0", i));
  const Snapshot snapshot = take(machine);
  ASSERT_EQ(snapshot.ports.size(), kPorts);
  constexpr size_t kGids = 2;
  constexpr size_t kPciFiles = 9;
  constexpr size_t kDriverFiles = 1;
  EXPECT_EQ(machine.asked("read"), 5 + kPorts * (kGidTableLength + 2 * kGids + kPciFiles + kDriverFiles));
  EXPECT_EQ(machine.asked("list"), kPorts) << "the GID table";
  EXPECT_EQ(machine.asked("link"), kPorts * 3) << "device, driver, physfn";
  EXPECT_EQ(machine.asked("get"), 7 + kPorts * 10) << "seven lists; eight queries a member, two a port";
}

}  // namespace
}  // namespace rocert
