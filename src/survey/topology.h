// How netdevs stand on each other: which one holds the addresses of an RDMA port, and which physical ports lie below.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.h"
#include "model/link.h"

namespace rocert {

class Topology {
 public:
  Topology(Host& host, std::vector<Link> links) : host_(host), links_(std::move(links)) {}
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  const std::vector<Link>& links() const { return links_; }
  const Link* find(std::string_view netdev) const;
  const Link* find(int ifindex) const;

  // Device that a netdev belongs to (survey/pci.h), read once for each.
  const Observed<std::string>& parent(const std::string& netdev);

  // The netdev that holds the addresses: the bond or team above, else the link itself.
  const Link& layer3(const Link& link) const;

  // Physical ports at or below a link: itself where it has a parent device, the slaves of a bond, what a VLAN or
  // macvlan stands on. Empty for a purely virtual one.
  std::vector<const Link*> members(const Link& link);

 private:
  void add_members(const Link& link, int depth, std::vector<const Link*>& found);

  Host& host_;
  std::vector<Link> links_;
  std::map<std::string, Observed<std::string>> parents_;
};

}  // namespace rocert
