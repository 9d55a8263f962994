#include "survey/survey.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "survey/facts.h"
#include "survey/identity.h"
#include "survey/port.h"
#include "survey/rdma.h"
#include "survey/topology.h"

namespace rocert {
namespace {

constexpr uint16_t kArphrdInfiniband = 32;
constexpr uint16_t kArphrdLoopback = 772;

// What the RDMA ports of a host come to: places of RoCE ports, and those that are something else.
struct Sorted {
  std::vector<PortPlace> places;
  std::vector<OtherDevice> others;
  std::set<std::string> netdevs;  // spoken for
};

std::string name_of(const RdmaPort& port) {
  return port.netdev.empty() ? port.device + "/" + std::to_string(port.port) : port.netdev;
}

// An RDMA device over a whole bond names one slave as its netdev. Where another device stands on another slave, each
// has its own.
bool shares_bond(const Topology& topology, const std::vector<RdmaPort>& ports, const Link& slave) {
  return std::any_of(ports.begin(), ports.end(), [&](const RdmaPort& other) {
    const Link* link = topology.find(other.netdev);
    return link != nullptr && link->ifindex != slave.ifindex && link->master == slave.master;
  });
}

PortPlace place_of(Topology& topology, const std::vector<RdmaPort>& ports, const RdmaPort& port, const Link& link) {
  PortPlace place{.layer3 = &topology.layer3(link), .rdma = port};
  const bool own_slave = place.layer3 != &link && shares_bond(topology, ports, link);
  place.members = topology.members(own_slave ? link : *place.layer3);
  return place;
}

Sorted sort_rdma_ports(Host& host, Topology& topology, const std::vector<RdmaPort>& ports) {
  Sorted sorted;
  for (const RdmaPort& port : ports) {
    RdmaNature nature = read_rdma_nature(host, port);
    const Link* link = topology.find(port.netdev);
    if (!nature.other && link == nullptr) {  // without its netdev there is nothing to judge, but it is there
      const std::string lacks = port.netdev.empty() ? "no netdev" : "netdev " + port.netdev + " is not to be seen";
      nature = {DeviceKind::kUnknownRdma, nature.why + ", but " + lacks};
    }
    if (!port.netdev.empty()) sorted.netdevs.insert(port.netdev);
    if (nature.other) {
      sorted.others.push_back({name_of(port), *nature.other, nature.why});
      continue;
    }
    PortPlace place = place_of(topology, ports, port, *link);
    sorted.netdevs.insert(place.layer3->name);
    for (const Link* member : place.members) sorted.netdevs.insert(member->name);
    sorted.places.push_back(std::move(place));
  }
  std::sort(sorted.places.begin(), sorted.places.end(), [](const PortPlace& a, const PortPlace& b) {
    return std::tie(a.layer3->name, a.rdma.device, a.rdma.port) < std::tie(b.layer3->name, b.rdma.device, b.rdma.port);
  });
  return sorted;
}

// "pf0vf1", "c1pf0sf3": the netdev that stands for a function inside the NIC's switch.
bool is_representor(const Link& link) {
  const std::string name = link.phys_port_name.value_or("");
  return link.phys_switch_id && (name.find("vf") != std::string::npos || name.find("sf") != std::string::npos);
}

OtherDevice describe(const Link& link, Topology& topology) {
  if (link.type == kArphrdInfiniband) return {link.name, DeviceKind::kInfiniband, "link type InfiniBand"};
  if (link.type == kArphrdLoopback) return {link.name, DeviceKind::kVirtual, "loopback"};
  if (!link.kind.empty()) return {link.name, DeviceKind::kVirtual, "link kind " + link.kind};
  if (is_representor(link)) return {link.name, DeviceKind::kVirtual, "representor " + *link.phys_port_name};
  const auto& parent = topology.parent(link.name);
  if (parent) return {link.name, DeviceKind::kManagement, "device " + *parent + " without RDMA"};
  if (parent.error().reason == GapReason::kAbsent) return {link.name, DeviceKind::kVirtual, "no device below"};
  return {link.name, DeviceKind::kManagement, "its device is not known: " + to_text(parent.error())};
}

std::vector<Address> addresses_of(const Observed<std::vector<Address>>& all, int ifindex) {
  std::vector<Address> found;
  if (all) {
    std::copy_if(all->begin(), all->end(), std::back_inserter(found),
                 [&](const Address& address) { return address.ifindex == ifindex; });
  }
  return found;
}

// The netdev's index where only its name was told.
void resolve_netdevs(std::vector<RdmaPort>& ports, const Topology& topology) {
  for (RdmaPort& port : ports) {
    if (port.netdev_ifindex || port.netdev.empty()) continue;
    if (const Link* link = topology.find(port.netdev)) port.netdev_ifindex = link->ifindex;
  }
}

}  // namespace

Snapshot survey(Host& host, const SurveyOptions& options) {
  Snapshot snapshot{.host = read_identity(host), .taken_at = options.taken_at};
  snapshot.links = host.get(Links{});
  snapshot.addresses = host.get(Addresses{});
  snapshot.routes = host.get(Routes{});
  snapshot.rules = host.get(Rules{});
  snapshot.neighbours = host.get(Neighbours{});
  snapshot.rdma_ports = read_rdma_ports(host);
  snapshot.rdma_system = host.get(RdmaSystemOf{});
  read_facts(host, options.facts, Scope::kHost, {}, snapshot.facts);

  Topology topology(host, snapshot.links.value_or(std::vector<Link>{}));
  if (snapshot.rdma_ports) resolve_netdevs(*snapshot.rdma_ports, topology);
  Sorted sorted = sort_rdma_ports(host, topology, snapshot.rdma_ports.value_or(std::vector<RdmaPort>{}));
  for (const PortPlace& place : sorted.places) {
    snapshot.ports.push_back(read_port(host, options, place, topology));
    snapshot.ports.back().addresses = addresses_of(snapshot.addresses, place.layer3->ifindex);
  }
  snapshot.others = std::move(sorted.others);
  for (const Link& link : topology.links()) {
    if (!sorted.netdevs.contains(link.name)) snapshot.others.push_back(describe(link, topology));
  }
  std::sort(snapshot.others.begin(), snapshot.others.end(),
            [](const OtherDevice& a, const OtherDevice& b) { return a.name < b.name; });
  return snapshot;
}

}  // namespace rocert
