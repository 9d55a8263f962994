#include "survey/topology.h"

#include <algorithm>
#include <array>

#include "survey/pci.h"

namespace rocert {
namespace {

constexpr int kMaxDepth = 8;  // as the kernel's MAX_NEST_DEV

bool aggregates(const Link& link) { return link.kind == "bond" || link.kind == "team"; }

// IFLA_LINK of a veth is its peer and of a tunnel its underlay: only these stand on their lower device.
bool stands_on_lower(const Link& link) {
  static constexpr std::array<std::string_view, 6> kKinds{"vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec"};
  return link.lower && std::find(kKinds.begin(), kKinds.end(), link.kind) != kKinds.end();
}

}  // namespace

const Link* Topology::find(std::string_view netdev) const {
  const auto found = std::find_if(links_.begin(), links_.end(), [&](const Link& link) { return link.name == netdev; });
  return found == links_.end() ? nullptr : &*found;
}

const Link* Topology::find(int ifindex) const {
  const auto found =
      std::find_if(links_.begin(), links_.end(), [&](const Link& link) { return link.ifindex == ifindex; });
  return found == links_.end() ? nullptr : &*found;
}

const Observed<std::string>& Topology::parent(const std::string& netdev) {
  const auto known = parents_.find(netdev);
  if (known != parents_.end()) return known->second;
  return parents_.emplace(netdev, read_parent(host_, netdev)).first->second;
}

const Link& Topology::layer3(const Link& link) const {
  const Link* master = link.master ? find(*link.master) : nullptr;
  return master != nullptr && aggregates(*master) ? *master : link;
}

std::vector<const Link*> Topology::members(const Link& link) {
  std::vector<const Link*> found;
  add_members(link, 0, found);
  return found;
}

void Topology::add_members(const Link& link, int depth, std::vector<const Link*>& found) {
  if (depth > kMaxDepth) return;
  if (parent(link.name)) {
    if (std::find(found.begin(), found.end(), &link) == found.end()) found.push_back(&link);
  } else if (aggregates(link)) {
    for (const Link& slave : links_) {
      if (slave.master == link.ifindex) add_members(slave, depth + 1, found);
    }
  } else if (const Link* lower = stands_on_lower(link) ? find(*link.lower) : nullptr) {
    add_members(*lower, depth + 1, found);
  }
}

}  // namespace rocert
