// Network interfaces and their addresses, as rtnetlink tells them (RTM_GETLINK, RTM_GETADDR; rtnetlink(7)).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fields.h"
#include "model/ip.h"

namespace rocert {

struct Link {
  int ifindex = 0;
  std::string name;
  uint16_t type = 0;            // ARPHRD_*: 1 Ethernet, 32 InfiniBand, 772 loopback
  std::string kind;             // IFLA_INFO_KIND: "vlan", "bond", "vxlan", "veth", ...; empty: a device of its own
  uint32_t mtu = 0;             // bytes
  std::string address;          // link-layer, "02:00:00:00:01:00"; empty: none
  std::string operstate;        // RFC 2863 word: "up", "down", "lowerlayerdown", "unknown", ...
  bool admin_up = false;        // IFF_UP
  std::optional<bool> carrier;  // IFLA_CARRIER
  std::optional<int> lower;     // IFLA_LINK: ifindex of the device below (vlan, macvlan, vxlan)
  std::optional<int> master;    // IFLA_MASTER: bond, bridge or VRF above
  std::optional<uint32_t> vrf_table;           // table of a VRF device
  std::optional<uint16_t> vlan_id;             // of a VLAN device
  std::optional<uint32_t> carrier_down_count;  // how often the link went down since the driver loaded
  std::optional<uint32_t> num_vf;              // virtual functions enabled on this PF
  std::vector<std::string> altnames;
  std::optional<std::string> phys_port_name;
  std::optional<std::string> phys_switch_id;
  std::optional<uint32_t> group;  // IFLA_GROUP, which rules with suppress_ifgroup look at
  bool operator==(const Link&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"ifindex", &Link::ifindex},
                      Field{"name", &Link::name},
                      Field{"type", &Link::type},
                      Field{"kind", &Link::kind},
                      Field{"mtu", &Link::mtu},
                      Field{"address", &Link::address},
                      Field{"operstate", &Link::operstate},
                      Field{"admin_up", &Link::admin_up},
                      Field{"carrier", &Link::carrier},
                      Field{"lower", &Link::lower},
                      Field{"master", &Link::master},
                      Field{"vrf_table", &Link::vrf_table},
                      Field{"vlan_id", &Link::vlan_id},
                      Field{"carrier_down_count", &Link::carrier_down_count},
                      Field{"num_vf", &Link::num_vf},
                      Field{"altnames", &Link::altnames},
                      Field{"phys_port_name", &Link::phys_port_name},
                      Field{"phys_switch_id", &Link::phys_switch_id},
                      Field{"group", &Link::group}};
  }
};

struct Address {
  int ifindex = 0;
  Prefix local;                   // the address with its on-link prefix length
  std::optional<IpAddress> peer;  // of a point-to-point address
  uint8_t scope = 0;              // RT_SCOPE_*: 0 global, 253 link, 254 host
  uint32_t flags = 0;             // IFA_F_*: tentative 0x40, deprecated 0x20, dadfailed 0x08
  bool operator==(const Address&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"ifindex", &Address::ifindex}, Field{"local", &Address::local},
                      Field{"peer", &Address::peer}, Field{"scope", &Address::scope}, Field{"flags", &Address::flags}};
  }
};

}  // namespace rocert
