// Pure lookup over rules and routes as the kernel does it (net/core/fib_rules.c, net/ipv4/fib_trie.c,
// net/ipv6/route.c): which next hop a flow takes. Verbs resolve with source and oif (drivers/infiniband/core/addr.c),
// sockets with the source alone, or nothing.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/link.h"
#include "model/route.h"

namespace rocert {

struct Flow {
  IpAddress destination;
  std::optional<IpAddress> source;
  int out_ifindex = 0;  // oif; 0: none
  int in_ifindex = 0;   // iif, for a reverse lookup; 0: a local flow
  uint32_t mark = 0;
  uint8_t tos = 0;           // the whole traffic class byte
  uint8_t ip_protocol = 0;   // 0, as RDMA address resolution asks: rules that name a protocol do not match
  uint16_t source_port = 0;  // ports and uid matter to rules that name them
  uint16_t destination_port = 0;
  uint32_t uid = 0;
};

enum class FibOutcome {
  kRoute,    // a unicast, local, broadcast, anycast or multicast route
  kBlocked,  // blackhole, unreachable, prohibit, by a route or by a rule
  kNoEntry,  // no FIB entry
  kUnknown,  // a rule with selectors that are not read (Rule::unread) decides, and whether it matches is not known
};

// An IPv4 lookup with an oif never fails in the kernel: where the outcome is kBlocked or kNoEntry it assumes the
// destination on link there (ip_route_output_key_hash_rcu). IPv6 fails. IPv6 takes an oif strictly only without a
// source or to a link-local destination; with a source it is a preference among equal routes, so a next hop may leave
// by another device: compare its ifindex.
struct FibResult {
  FibOutcome outcome = FibOutcome::kNoEntry;
  Route route;                     // that decided; empty where a rule blocked, or with kNoEntry
  std::vector<NextHop> next_hops;  // with kRoute, usable ones; several: multipath, the kernel hashes the flow
  uint32_t rule_priority = 0;      // rule that led to it, or whose match is unknown; 0 with kNoEntry
};

// What the lookup works on. Links give names (iif, oif rules), VRFs and groups. Routes keep the order of the kernel's
// dump, which breaks ties between equal IPv6 routes.
struct FibView {
  const std::vector<Rule>& rules;
  const std::vector<Route>& routes;
  const std::vector<Link>& links;
  std::span<const int> ignores_linkdown = {};  // ifindexes whose sysctl ignore_routes_with_linkdown is on
};

// Not modelled: neighbour state (a gateway known to be dead is passed over where another default route exists), and
// that the source belongs to this host, which an IPv4 output lookup insists on.
FibResult lookup(const FibView& fib, const Flow& flow);

}  // namespace rocert
