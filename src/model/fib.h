// Pure lookup over rules and routes as the kernel does it (net/ipv4/fib_rules.c, fib_semantics.c, net/ipv6/route.c):
// which next hop a flow takes. Verbs resolve with source and oif, sockets with the source alone (or nothing).
#pragma once
#include <optional>
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
  uint8_t tos = 0;
};

enum class FibOutcome {
  kRoute,    // a unicast or local route
  kBlocked,  // blackhole, unreachable, prohibit
  kNoEntry,  // no FIB entry: IPv6 fails; IPv4 with an oif falls back to on-link there (ip_route_output_key_hash_rcu)
};

struct FibResult {
  FibOutcome outcome = FibOutcome::kNoEntry;
  Route route;                     // with outcome kRoute or kBlocked
  std::vector<NextHop> next_hops;  // usable ones; several: multipath
  uint32_t rule_priority = 0;      // rule that led to it
};

// What the lookup works on. Links give names (iif/oif rules), VRF tables and carrier.
struct FibView {
  const std::vector<Rule>& rules;
  const std::vector<Route>& routes;
  const std::vector<Link>& links;
};

FibResult lookup(const FibView& fib, const Flow& flow);

}  // namespace rocert
