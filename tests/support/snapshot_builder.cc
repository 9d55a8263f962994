#include "support/snapshot_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rocert::samples {

IpAddress ip(std::string_view text) { return parse_ip(text).value(); }

Prefix prefix(std::string_view text) { return parse_prefix(text).value(); }

Address address(int ifindex, std::string_view text) {
  Address result{.ifindex = ifindex, .local = prefix(text)};
  if (result.local.address.is_link_local()) result.scope = 253;
  if (result.local.address.is_loopback()) result.scope = 254;
  return result;
}

Gid gid(uint32_t index, std::string_view address_text, GidType type, std::string netdev) {
  const IpAddress address = ip(address_text);
  Gid result{.index = index, .raw = address.bytes, .type = type, .netdev = std::move(netdev)};
  if (address.family == Family::kIpv4) {
    result.raw = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    std::copy_n(address.bytes.begin(), 4, result.raw.begin() + 12);
  }
  return result;
}

Route route(std::string_view destination, int ifindex, std::string_view gateway, uint32_t table) {
  Route result{.destination = prefix(destination), .table = table, .protocol = 4};
  NextHop hop{.ifindex = ifindex};
  if (!gateway.empty()) hop.gateway = ip(gateway);
  result.next_hops = {hop};
  return result;
}

std::vector<Route> routes_of(const Address& address) {
  const bool ipv4 = address.local.address.family == Family::kIpv4;
  Route local{.destination = {address.local.address, address_bits(address.local.address.family)},
              .table = 255,
              .type = 2,
              .protocol = 2,
              .scope = static_cast<uint8_t>(ipv4 ? 254 : 0)};
  local.next_hops = {NextHop{.ifindex = address.ifindex}};
  if (address.local.length == address_bits(address.local.address.family)) return {local};
  Route connected{.destination = address.local.network(), .protocol = 2, .scope = static_cast<uint8_t>(ipv4 ? 253 : 0)};
  if (ipv4) connected.preferred_source = address.local.address;
  if (!ipv4) connected.metric = 256;
  connected.next_hops = {NextHop{.ifindex = address.ifindex}};
  return {connected, local};
}

Rule rule(Family family, uint32_t priority, uint32_t table) {
  return {.family = family, .priority = priority, .table = table, .protocol = 2};
}

Rule rule_from(std::string_view source, uint32_t priority, uint32_t table) {
  const Prefix from = prefix(source);
  return {.family = from.address.family, .priority = priority, .source = from, .table = table};
}

Dcb good_dcb() {
  Dcb dcb;
  dcb.pfc = Pfc{.capability = 8, .enabled = 1 << 3};
  dcb.ets = Ets{.capability = 8, .priority_to_class = {0, 1, 2, 3, 4, 5, 6, 7}};
  for (unsigned dscp = 0; dscp < 64; ++dscp) {
    dcb.apps.push_back(
        {.selector = kAppDscp, .priority = static_cast<uint8_t>(dscp >> 3), .protocol = static_cast<uint16_t>(dscp)});
  }
  dcb.dcbx = kDcbxHost | kDcbxIeee;
  return dcb;
}

Member good_member(const std::string& netdev, int ifindex, const std::string& bdf, uint32_t speed) {
  Member member{.netdev = netdev, .ifindex = ifindex, .address = fmt::format("02:00:00:00:01:{:02x}", ifindex)};
  member.pci = PciFunction{.bdf = bdf, .vendor = 0x15b3, .device = 0x1021, .driver = "mlx5_core", .numa_node = 0};
  member.driver = DriverIdentity{.driver = "mlx5_core", .version = "6.1.0", .firmware = "28.39.1002", .bus = bdf};
  member.link_modes = LinkModes{.speed = speed, .full_duplex = true, .autoneg = true, .lanes = 4, .link = true};
  member.dcb = good_dcb();
  member.pause = Pause{};
  member.fec = Fec{.configured = {"RS"}, .active = "RS"};
  member.rings = Rings{.rx_max = 8192, .rx = 1024, .tx_max = 8192, .tx = 1024};
  member.private_flags = PrivateFlags{};
  member.statistics = Counters{{"rx_discards_phy", 0}, {"rx_prio3_pause", 12}, {"rx_bytes", 1000000}};
  return member;
}

void put_port_facts(Port& port) {
  port.facts["sysctl.port.arp_ignore"] = "1";
  port.facts["sysctl.port.arp_announce"] = "2";
  port.facts["sysctl.port.arp_filter"] = "0";
  port.facts["sysctl.port.rp_filter"] = "2";
  port.facts["rdma_cm.tos"] = "104";
  port.facts["rdma_cm.mode"] = "RoCE v2";
}

Port good_port(const GoodHost& host, unsigned index) {
  const int ifindex = kFirstPortIfindex + static_cast<int>(index);
  const std::string netdev = fmt::format("ens{}np0", index + 1);
  Port port;
  port.link = {.ifindex = ifindex,
               .name = netdev,
               .type = 1,
               .mtu = host.mtu,
               .address = fmt::format("02:00:00:00:01:{:02x}", ifindex),
               .operstate = "up",
               .admin_up = true,
               .carrier = true};
  port.rdma = {.device = fmt::format("mlx5_{}", index),
               .device_index = index,
               .port = 1,
               .protocol = "roce",
               .driver = "mlx5_ib",
               .firmware = "28.39.1002",
               .netdev_ifindex = ifindex,
               .netdev = netdev,
               .state = "active",
               .physical_state = "link_up"};
  const std::string ipv4 = fmt::format("198.18.{}.{}", index, 10 + host.number);
  const std::string link_local = fmt::format("fe80::ff:fe00:{:x}", 0x100 + ifindex);
  port.addresses = {address(ifindex, ipv4 + "/24"), address(ifindex, link_local + "/64")};
  port.gids =
      std::vector<Gid>{gid(0, link_local, GidType::kRoceV1, netdev), gid(1, link_local, GidType::kRoceV2, netdev),
                       gid(2, ipv4, GidType::kRoceV1, netdev), gid(3, ipv4, GidType::kRoceV2, netdev)};
  port.attributes = RdmaPortAttributes{
      .active_mtu = rdma_mtu_for(host.mtu), .max_mtu = 4096, .active_speed = host.speed, .link_layer = "Ethernet"};
  port.rdma_statistics = Counters{{"out_of_sequence", 0}, {"np_cnp_sent", 7}};
  port.members = {good_member(netdev, ifindex, fmt::format("0000:{:02x}:00.0", 0x40 + index), host.speed)};
  put_port_facts(port);
  return port;
}

void settle(Snapshot& snapshot) {
  std::vector<Link> links{
      {.ifindex = 1, .name = "lo", .type = 772, .mtu = 65536, .operstate = "unknown", .admin_up = true},
      {.ifindex = 2,
       .name = "eno1",
       .type = 1,
       .mtu = 1500,
       .address = "02:00:00:00:00:01",
       .operstate = "up",
       .admin_up = true,
       .carrier = true}};
  std::vector<Address> addresses{address(1, "127.0.0.1/8"), address(1, "::1/128"), address(2, "192.0.2.11/24")};
  std::vector<RdmaPort> rdma_ports;
  for (const Port& port : snapshot.ports) {
    links.push_back(port.link);
    addresses.insert(addresses.end(), port.addresses.begin(), port.addresses.end());
    rdma_ports.push_back(port.rdma);
  }
  std::vector<Route> routes{route("0.0.0.0/0", 2, "192.0.2.1")};
  for (const Address& one : addresses) {
    for (Route& added : routes_of(one)) routes.push_back(std::move(added));
  }
  snapshot.links = std::move(links);
  snapshot.addresses = std::move(addresses);
  snapshot.routes = std::move(routes);
  snapshot.rdma_ports = std::move(rdma_ports);
}

Snapshot good_snapshot(const GoodHost& host) {
  Snapshot snapshot;
  snapshot.host = {.name = host.name,
                   .machine_id = "0123456789abcdef0123456789abcdef",
                   .boot_id = "01234567-89ab-cdef-0123-456789abcdef",
                   .kernel = "6.1.0-18-amd64",
                   .product = "Example Server"};
  snapshot.taken_at = "2026-11-30T22:55:13Z";
  for (unsigned i = 0; i < host.ports; ++i) snapshot.ports.push_back(good_port(host, i));
  settle(snapshot);
  snapshot.rules =
      std::vector<Rule>{rule(Family::kIpv4, 0, 255), rule(Family::kIpv4, 32766, 254), rule(Family::kIpv4, 32767, 253),
                        rule(Family::kIpv6, 0, 255), rule(Family::kIpv6, 32766, 254)};
  snapshot.neighbours = std::vector<Neighbour>{};
  snapshot.rdma_system = RdmaSystem{};
  snapshot.facts["sysctl.all.arp_ignore"] = "0";
  snapshot.facts["sysctl.all.arp_announce"] = "0";
  snapshot.facts["sysctl.all.arp_filter"] = "0";
  snapshot.facts["sysctl.all.rp_filter"] = "0";
  snapshot.facts["process.limits"] =
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max open files            1024                 524288               files     \n"
      "Max locked memory         unlimited            unlimited            bytes     ";
  snapshot.facts["process.status"] = "Name:\trocert\nCapEff:\t0000000000000000";
  snapshot.others = {{"eno1", DeviceKind::kManagement, "no RDMA device"}};
  return snapshot;
}

}  // namespace rocert::samples
