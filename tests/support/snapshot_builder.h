// Snapshots of a good host for tests: N RoCE ports on N rails, jumbo MTU, PFC on priority 3, DSCP trusted, GIDs, routes
// and sysctls as they should be, and a management NIC. A test breaks what it wants to see judged.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/snapshot.h"

namespace rocert::samples {

struct GoodHost {
  std::string name = "n1";
  unsigned number = 1;  // last octet of the addresses: 10 + number
  unsigned ports = 2;   // ens1np0 (mlx5_0) in 198.18.0.0/24, ens2np0 (mlx5_1) in 198.18.1.0/24, ...
  uint32_t mtu = 9000;
  uint32_t speed = 400000;  // Mb/s
};

inline constexpr int kFirstPortIfindex = 10;  // of ens1np0; eno1 is 2, lo is 1

IpAddress ip(std::string_view text);
Prefix prefix(std::string_view text);
Address address(int ifindex, std::string_view text);
Gid gid(uint32_t index, std::string_view address_text, GidType type, std::string netdev);
Route route(std::string_view destination, int ifindex, std::string_view gateway = {}, uint32_t table = 254);

// What the kernel adds with an address: the connected route, and the local one.
std::vector<Route> routes_of(const Address& address);
Rule rule(Family family, uint32_t priority, uint32_t table);
Rule rule_from(std::string_view source, uint32_t priority, uint32_t table);
Dcb good_dcb();
Member good_member(const std::string& netdev, int ifindex, const std::string& bdf, uint32_t speed);

void put_port_facts(Port& port);
Port good_port(const GoodHost& host, unsigned index);

// Makes host-wide lists (links, addresses, routes) follow the ports; a test calls it after it changed ports' links or
// addresses. Rules stay as they are.
void settle(Snapshot& snapshot);
Snapshot good_snapshot(const GoodHost& host = {});

}  // namespace rocert::samples
