// The kernel's own answer to a route lookup (RTM_GETROUTE), by a socket of this file's own: an independent witness.
#pragma once
#include <cstdint>
#include <optional>

#include "model/fib.h"

namespace rocert {

struct RouteAnswer {
  int error = 0;  // errno of the lookup; 0: a route
  uint8_t type = 0;
  int ifindex = 0;
  std::optional<IpAddress> gateway;
  uint32_t table = 0;
  Prefix destination;  // of the FIB entry, when asked for
};

// What the kernel does with the flow; with `entry`, which FIB entry it takes (RTM_F_FIB_MATCH): an IPv4 flow that it
// assumes to be on link then is an error. Nothing when the socket fails.
std::optional<RouteAnswer> route_get(const Flow& flow, bool entry);

}  // namespace rocert
