// RDMA devices, ports and GIDs (nldev netlink, sysfs; drivers/infiniband/core/nldev.c, sysfs-class-infiniband).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fields.h"
#include "model/ip.h"

namespace rocert {

struct RdmaPort {
  std::string device;  // "mlx5_0"
  uint32_t device_index = 0;
  uint32_t port = 1;
  std::string protocol;  // RDMA_NLDEV_ATTR_DEV_PROTOCOL: "roce", "ib", "iw", "usnic", "opa"; empty: not told
  std::string driver;    // "mlx5_ib", "rxe"... as nldev or sysfs names it; empty: not told
  std::string firmware;
  std::optional<int> netdev_ifindex;
  std::string netdev;
  std::string state;           // "down", "init", "armed", "active", "active_defer"
  std::string physical_state;  // "link_up", "disabled", "polling", ...
  bool operator==(const RdmaPort&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"device", &RdmaPort::device},
                      Field{"device_index", &RdmaPort::device_index},
                      Field{"port", &RdmaPort::port},
                      Field{"protocol", &RdmaPort::protocol},
                      Field{"driver", &RdmaPort::driver},
                      Field{"firmware", &RdmaPort::firmware},
                      Field{"netdev_ifindex", &RdmaPort::netdev_ifindex},
                      Field{"netdev", &RdmaPort::netdev},
                      Field{"state", &RdmaPort::state},
                      Field{"physical_state", &RdmaPort::physical_state}};
  }
};

struct RdmaSystem {
  bool netns_shared = true;  // `rdma system`: shared or exclusive
  bool operator==(const RdmaSystem&) const = default;
  static constexpr auto fields() { return std::tuple{Field{"netns_shared", &RdmaSystem::netns_shared}}; }
};

// What ibv_query_port tells and netlink does not.
struct RdmaPortAttributes {
  uint32_t active_mtu = 0;    // bytes: 256, 512, 1024, 2048, 4096
  uint32_t max_mtu = 0;       // bytes
  uint64_t active_speed = 0;  // Mb/s, speed times width
  std::string link_layer;     // "Ethernet", "InfiniBand"
  bool operator==(const RdmaPortAttributes&) const = default;
  static constexpr auto fields() {
    return std::tuple{
        Field{"active_mtu", &RdmaPortAttributes::active_mtu}, Field{"max_mtu", &RdmaPortAttributes::max_mtu},
        Field{"active_speed", &RdmaPortAttributes::active_speed}, Field{"link_layer", &RdmaPortAttributes::link_layer}};
  }
};

enum class GidType { kIb, kRoceV1, kRoceV2 };
template <>
struct Words<GidType> {
  static constexpr std::array<std::pair<GidType, std::string_view>, 3> values{
      {{GidType::kIb, "IB"}, {GidType::kRoceV1, "RoCE v1"}, {GidType::kRoceV2, "RoCE v2"}}};
};

struct Gid {
  uint32_t index = 0;
  std::array<uint8_t, 16> raw{};
  GidType type = GidType::kRoceV2;
  std::string netdev;  // gid_attrs/ndevs; the netdev may be a VLAN or a bond above the port's
  bool operator==(const Gid&) const = default;

  // The IP address that the GID stands for: ::ffff:a.b.c.d gives IPv4.
  IpAddress address() const;
  // Neither link-local nor unspecified.
  bool is_routable() const;
  static constexpr auto fields() {
    return std::tuple{Field{"index", &Gid::index}, Field{"raw", &Gid::raw}, Field{"type", &Gid::type},
                      Field{"netdev", &Gid::netdev}};
  }
};

// Largest RDMA MTU that fits a netdev MTU on RoCE: 96 bytes are the headers' (ib_addr.h, iboe_get_mtu). 0 below 352.
uint32_t rdma_mtu_for(uint32_t netdev_mtu);
// Smallest netdev MTU that carries an RDMA MTU: 4096 needs 4192.
constexpr uint32_t netdev_mtu_for(uint32_t rdma_mtu) { return rdma_mtu + 96; }

}  // namespace rocert
