// Which network devices carry a port's traffic: the port's own, the bond or VLAN above it, the members below it.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/snapshot.h"

namespace rocert::checks {

inline const Link* find_link(const std::vector<Link>& links, int ifindex) {
  const auto found = std::ranges::find(links, ifindex, &Link::ifindex);
  return found == links.end() ? nullptr : &*found;
}

// The VRF that the port's device belongs to, null when none.
inline const Link* vrf_of(const std::vector<Link>& links, const Port& port) {
  const Link* master = port.link.master ? find_link(links, *port.link.master) : nullptr;
  return master != nullptr && master->vrf_table ? master : nullptr;
}

inline bool is_bond(const Link& link) { return link.kind == "bond" || link.kind == "team"; }

// ifindexes of the port's devices; bounded by the number of links, however they point at each other.
inline std::vector<int> devices_of(const std::vector<Link>& links, const Port& port) {
  std::vector<int> devices{port.link.ifindex};
  const auto has = [&](int ifindex) { return std::ranges::find(devices, ifindex) != devices.end(); };
  for (const Member& member : port.members) {
    if (!has(member.ifindex)) devices.push_back(member.ifindex);
  }
  for (size_t i = 0; i < devices.size(); ++i) {
    const Link* device = find_link(links, devices[i]);
    const Link* master = device != nullptr && device->master ? find_link(links, *device->master) : nullptr;
    if (master != nullptr && is_bond(*master) && !has(master->ifindex)) devices.push_back(master->ifindex);
    for (const Link& link : links) {
      if (link.lower == devices[i] && !has(link.ifindex)) devices.push_back(link.ifindex);
    }
  }
  return devices;
}

}  // namespace rocert::checks
