#include "model/fib_table.h"

#include <algorithm>

namespace rocert {
namespace {

constexpr uint32_t kCloned = 0x200;     // RTM_F_CLONED: a cached copy, not an entry
constexpr uint8_t kDead = 1;            // RTNH_F_DEAD
constexpr uint8_t kLinkDown = 16;       // RTNH_F_LINKDOWN
constexpr uint8_t kIpv4TosMask = 0x1c;  // IPTOS_RT_MASK without the ECN bits

using Candidates = std::vector<const Route*>;

bool blocks(const Route& route) {
  return route.type == kRouteBlackhole || route.type == kRouteUnreachable || route.type == kRouteProhibit;
}

bool is_alive(const FibView& fib, const Route& route, const NextHop& hop) {
  const uint32_t flags = route.next_hops.size() == 1 ? hop.flags | route.flags : hop.flags;
  if (flags & kDead) return false;
  const auto& ignoring = fib.ignores_linkdown;
  return !(flags & kLinkDown) || std::find(ignoring.begin(), ignoring.end(), hop.ifindex) == ignoring.end();
}

template <class Before>
Candidates matching(const FibView& fib, const Flow& flow, uint32_t table, Before before) {
  Candidates found;
  for (const Route& route : fib.routes) {
    if (route.table == table && !(route.flags & kCloned) && route.destination.contains(flow.destination))
      found.push_back(&route);
  }
  std::stable_sort(found.begin(), found.end(), [&](const Route* a, const Route* b) { return before(*a, *b); });
  return found;
}

FibResult blocked_by(const Route& route) { return {FibOutcome::kBlocked, route, {}, 0}; }

// --- IPv4: fib_table_lookup: the longest prefix first, then the higher TOS, then the lower metric; an entry whose next
// hops do not suit is passed over, down to shorter prefixes.

std::vector<NextHop> suitable_ipv4(const FibView& fib, const Flow& flow, const Route& route) {
  std::vector<NextHop> hops;
  for (const NextHop& hop : route.next_hops) {
    if (!is_alive(fib, route, hop)) continue;
    if (flow.out_ifindex != 0 && flow.out_ifindex != hop.ifindex) continue;
    hops.push_back(hop);
    if (flow.out_ifindex != 0) break;  // fib_select_path does not hash when there is an oif
  }
  return hops;
}

std::optional<FibResult> look_in_ipv4_table(const FibView& fib, const Flow& flow, uint32_t table) {
  const Candidates candidates = matching(fib, flow, table, [](const Route& a, const Route& b) {
    if (a.destination.length != b.destination.length) return a.destination.length > b.destination.length;
    if (a.tos != b.tos) return a.tos > b.tos;
    return a.metric < b.metric;
  });
  for (const Route* route : candidates) {
    if (route->tos != 0 && route->tos != (flow.tos & kIpv4TosMask)) continue;
    if (route->type == kRouteThrow) return std::nullopt;
    if (blocks(*route)) return blocked_by(*route);
    auto hops = suitable_ipv4(fib, flow, *route);
    if (!hops.empty()) return FibResult{FibOutcome::kRoute, *route, std::move(hops), 0};
  }
  return std::nullopt;
}

// --- IPv6: fib6_table_lookup, rt6_select, find_rr_leaf: per prefix, the best score among the entries of the lowest
// metric, else among all others; with no entry that scores, the next shorter prefix.

struct Ipv6Device {
  int ifindex = 0;      // oif, or iif of a forwarded flow
  bool strict = false;  // RT6_LOOKUP_F_IFACE: only this device
};

Ipv6Device device_of(const Flow& flow) {
  const IpAddress& to = flow.destination;
  const bool needs_strict = to.is_multicast() || to.is_link_local() || to.is_loopback();
  if (flow.in_ifindex != 0) return {flow.in_ifindex, needs_strict};
  const bool has_source = flow.source && !flow.source->is_unspecified();
  return {flow.out_ifindex, needs_strict || (flow.out_ifindex != 0 && !has_source)};
}

// rt6_score_route; nothing: this next hop cannot be used.
std::optional<int> score_of(const FibView& fib, const Ipv6Device& device, const Route& route, const NextHop& hop) {
  if (!is_alive(fib, route, hop)) return std::nullopt;
  const int hop_ifindex = hop.ifindex != 0 ? hop.ifindex : kLoopbackIfindex;  // blocking routes hang on loopback
  const bool on_device = device.ifindex == 0 || device.ifindex == hop_ifindex;
  if (!on_device && device.strict) return std::nullopt;
  const int preference = route.preference.value_or(0) ^ 2;  // IPV6_DECODE_PREF: 1 low, 2 medium, 3 high
  return (on_device ? 2 : 0) | preference << 2;
}

std::vector<NextHop> hops_of(const Route& route) {
  return route.next_hops.empty() ? std::vector<NextHop>{NextHop{}} : route.next_hops;
}

const Route* best_of(const FibView& fib, const Ipv6Device& device, std::span<const Route* const> routes) {
  const Route* best = nullptr;
  int best_score = -1;
  for (const Route* route : routes) {
    for (const NextHop& hop : hops_of(*route)) {
      const auto score = score_of(fib, device, *route, hop);
      if (!score || *score <= best_score) continue;
      best = route;
      best_score = *score;
    }
  }
  return best;
}

const Route* best_of_one_prefix(const FibView& fib, const Ipv6Device& device, std::span<const Route* const> routes) {
  const auto other_metric = std::find_if(routes.begin(), routes.end(),
                                         [&](const Route* route) { return route->metric != routes.front()->metric; });
  const auto first = static_cast<size_t>(other_metric - routes.begin());
  const Route* best = best_of(fib, device, routes.first(first));
  return best != nullptr ? best : best_of(fib, device, routes.subspan(first));
}

uint8_t source_length(const Route& route) { return route.source ? route.source->length : 0; }

bool same_prefix(const Route& a, const Route& b) {
  return a.destination.length == b.destination.length && source_length(a) == source_length(b);
}

FibResult result_of_ipv6(const FibView& fib, const Ipv6Device& device, const Route& route) {
  if (blocks(route)) return blocked_by(route);
  FibResult result{FibOutcome::kRoute, route, {}, 0};
  for (const NextHop& hop : route.next_hops) {
    if (score_of(fib, device, route, hop)) result.next_hops.push_back(hop);
  }
  return result;
}

std::optional<FibResult> look_in_ipv6_table(const FibView& fib, const Flow& flow, uint32_t table) {
  Candidates candidates = matching(fib, flow, table, [](const Route& a, const Route& b) {
    if (a.destination.length != b.destination.length) return a.destination.length > b.destination.length;
    if (source_length(a) != source_length(b)) return source_length(a) > source_length(b);
    return a.metric < b.metric;
  });
  std::erase_if(candidates, [&](const Route* route) {
    return source_length(*route) != 0 && !(flow.source && route->source->contains(*flow.source));
  });
  const Ipv6Device device = device_of(flow);
  for (std::span<const Route* const> rest = candidates; !rest.empty();) {
    const auto end =
        std::find_if(rest.begin(), rest.end(), [&](const Route* route) { return !same_prefix(*route, *rest.front()); });
    const auto count = static_cast<size_t>(end - rest.begin());
    if (const Route* best = best_of_one_prefix(fib, device, rest.first(count))) {
      if (best->type == kRouteThrow) return std::nullopt;
      return result_of_ipv6(fib, device, *best);
    }
    rest = rest.subspan(count);
  }
  return std::nullopt;
}

}  // namespace

std::optional<FibResult> look_in_table(const FibView& fib, const Flow& flow, uint32_t table) {
  return flow.destination.family == Family::kIpv4 ? look_in_ipv4_table(fib, flow, table)
                                                  : look_in_ipv6_table(fib, flow, table);
}

}  // namespace rocert
