// Hosts as RoCE meets them, for the lookup to be held against the kernel: ports, routes, rules, and what to ask.
#pragma once
#include <string>
#include <vector>

namespace rocert {

struct Topology {
  const char* name;
  std::string setup;   // for ip -batch, after two ports p0 and p1 with peers q0 and q1 are there and up
  std::string setup6;  // for ip -6 -batch, after that
  std::vector<std::string> destinations;
  std::vector<std::string> sources;                // addresses of the host; a flow without one is always asked too
  std::vector<std::string> ignores_linkdown = {};  // netdevs whose sysctl ignore_routes_with_linkdown is turned on
};

// The ports that every topology has. IPv6 addresses are added by hand, so that nothing changes between reading and
// asking.
extern const char* const kPorts;

std::vector<Topology> topologies();

}  // namespace rocert
