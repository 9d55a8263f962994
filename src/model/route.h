// Routes, policy rules and neighbours of both families, every table (RTM_GETROUTE, RTM_GETRULE, RTM_GETNEIGH).
// Names are the kernel's numbers; to_text gives what iproute2 prints for the well-known ones.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fields.h"
#include "model/ip.h"

namespace rocert {

struct NextHop {
  int ifindex = 0;                   // 0: none (blackhole and friends)
  std::optional<IpAddress> gateway;  // RTA_GATEWAY or RTA_VIA; may be of the other family
  uint16_t weight = 1;
  uint8_t flags = 0;  // RTNH_F_*: dead 1, onlink 4, linkdown 16
  bool operator==(const NextHop&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"ifindex", &NextHop::ifindex}, Field{"gateway", &NextHop::gateway},
                      Field{"weight", &NextHop::weight}, Field{"flags", &NextHop::flags}};
  }
};

struct Route {
  Prefix destination;  // 0.0.0.0/0 or ::/0: default
  uint32_t table = 254;
  uint8_t type = 1;      // RTN_*: 1 unicast, 2 local, 3 broadcast, 6 blackhole, 7 unreachable, 8 prohibit, 9 throw
  uint8_t protocol = 0;  // RTPROT_*: 2 kernel, 3 boot, 4 static, ...
  uint8_t scope = 0;     // RT_SCOPE_*
  uint8_t tos = 0;
  uint32_t metric = 0;  // RTA_PRIORITY
  std::optional<IpAddress> preferred_source;
  std::optional<Prefix> source;  // RTA_SRC: an IPv6 route for packets from this prefix only
  std::optional<uint32_t> mtu;   // RTAX_MTU
  std::optional<uint32_t> nexthop_id;
  uint32_t flags = 0;  // RTM_F_*, RTNH_F_* of a single next hop
  std::vector<NextHop> next_hops;
  std::optional<uint8_t> preference;  // IPv6 only: RTA_PREF (RFC 4191): 0 medium, 1 high, 3 low
  bool operator==(const Route&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"destination", &Route::destination},
                      Field{"table", &Route::table},
                      Field{"type", &Route::type},
                      Field{"protocol", &Route::protocol},
                      Field{"scope", &Route::scope},
                      Field{"tos", &Route::tos},
                      Field{"metric", &Route::metric},
                      Field{"preferred_source", &Route::preferred_source},
                      Field{"source", &Route::source},
                      Field{"mtu", &Route::mtu},
                      Field{"nexthop_id", &Route::nexthop_id},
                      Field{"flags", &Route::flags},
                      Field{"next_hops", &Route::next_hops},
                      Field{"preference", &Route::preference}};
  }
};

struct Rule {
  Family family = Family::kIpv4;
  uint32_t priority = 0;
  bool inverted = false;  // FIB_RULE_INVERT ("not")
  std::optional<Prefix> source;
  std::optional<Prefix> destination;
  std::string in_interface;   // iif; empty: any
  std::string out_interface;  // oif; empty: any
  uint8_t tos = 0;
  std::optional<uint32_t> mark;
  std::optional<uint32_t> mask;
  uint8_t action = 1;  // FR_ACT_*: 1 to table, 2 goto, 3 nop, 6 blackhole, 7 unreachable, 8 prohibit
  uint32_t table = 0;
  std::optional<uint32_t> go_to;                   // priority to jump to
  bool l3mdev = false;                             // table of the VRF of the interface
  std::optional<uint32_t> suppress_prefix_length;  // ignore a result with this length or shorter
  std::optional<uint32_t> suppress_group;
  std::optional<uint8_t> ip_protocol;
  std::optional<std::pair<uint16_t, uint16_t>> source_ports;
  std::optional<std::pair<uint16_t, uint16_t>> destination_ports;
  std::optional<std::pair<uint32_t, uint32_t>> uids;
  std::optional<uint8_t> dscp;  // FRA_DSCP, Linux 6.13
  uint8_t protocol = 0;
  // FRA_* selectors that this version cannot read (masks, flow labels, tunnel ids): whether the rule matches is not
  // known.
  std::optional<std::vector<uint16_t>> unread;
  bool operator==(const Rule&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"family", &Rule::family},
                      Field{"priority", &Rule::priority},
                      Field{"inverted", &Rule::inverted},
                      Field{"source", &Rule::source},
                      Field{"destination", &Rule::destination},
                      Field{"in_interface", &Rule::in_interface},
                      Field{"out_interface", &Rule::out_interface},
                      Field{"tos", &Rule::tos},
                      Field{"mark", &Rule::mark},
                      Field{"mask", &Rule::mask},
                      Field{"action", &Rule::action},
                      Field{"table", &Rule::table},
                      Field{"go_to", &Rule::go_to},
                      Field{"l3mdev", &Rule::l3mdev},
                      Field{"suppress_prefix_length", &Rule::suppress_prefix_length},
                      Field{"suppress_group", &Rule::suppress_group},
                      Field{"ip_protocol", &Rule::ip_protocol},
                      Field{"source_ports", &Rule::source_ports},
                      Field{"destination_ports", &Rule::destination_ports},
                      Field{"uids", &Rule::uids},
                      Field{"dscp", &Rule::dscp},
                      Field{"protocol", &Rule::protocol},
                      Field{"unread", &Rule::unread}};
  }
};

struct Neighbour {
  int ifindex = 0;
  IpAddress address;
  std::string link_address;  // empty: unresolved
  uint16_t state =
      0;  // NUD_*: incomplete 1, reachable 2, stale 4, delay 8, probe 16, failed 32, noarp 64, permanent 128
  uint8_t flags = 0;  // NTF_*
  bool operator==(const Neighbour&) const = default;
  static constexpr auto fields() {
    return std::tuple{Field{"ifindex", &Neighbour::ifindex}, Field{"address", &Neighbour::address},
                      Field{"link_address", &Neighbour::link_address}, Field{"state", &Neighbour::state},
                      Field{"flags", &Neighbour::flags}};
  }
};

}  // namespace rocert
