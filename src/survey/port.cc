#include "survey/port.h"

#include <algorithm>

#include "survey/facts.h"
#include "survey/gids.h"
#include "survey/pci.h"

namespace rocert {
namespace {

void read_driver_facts(Host& host, const SurveyOptions& options, std::string_view module, Scope scope,
                       const Placeholders& placeholders, Facts& into) {
  for (const Driver* driver : options.drivers) {
    if (driver->facts.serves(module)) read_facts(host, driver->reads, scope, placeholders, into);
  }
}

Placeholders placeholders_of(const Port& port, const std::string& netdev, Observed<std::string> bdf) {
  return {{"netdev", netdev},
          {"rdma", port.rdma.device},
          {"rdma_port", std::to_string(port.rdma.port)},
          {"bdf", std::move(bdf)}};
}

Observed<std::string> bdf_of(const Member& member) {
  if (!member.pci) return tl::unexpected<Gap>(member.pci.error());
  return member.pci->bdf;
}

// Of the port as a whole only where one function carries it.
Observed<std::string> bdf_of(const Port& port) {
  if (port.members.size() == 1) return bdf_of(port.members.front());
  return gap(GapReason::kNotSupported,
             port.netdev() + " stands on " + std::to_string(port.members.size()) + " functions, not on one");
}

Member read_member(Host& host, const SurveyOptions& options, const Port& port, const Link& link, Topology& topology) {
  const std::string& netdev = link.name;
  Member member{.netdev = netdev, .ifindex = link.ifindex, .address = link.address};
  member.pci = read_pci_function(host, topology.parent(netdev));
  member.driver = host.get(DriverOf{netdev});
  member.link_modes = host.get(LinkModesOf{netdev});
  member.dcb = host.get(DcbOf{netdev});
  member.pause = host.get(PauseOf{netdev});
  member.fec = host.get(FecOf{netdev});
  member.rings = host.get(RingsOf{netdev});
  member.private_flags = host.get(PrivateFlagsOf{netdev});
  member.statistics = host.get(StatisticsOf{netdev});
  const Placeholders placeholders = placeholders_of(port, netdev, bdf_of(member));
  read_facts(host, options.facts, Scope::kMember, placeholders, member.facts);
  read_driver_facts(host, options, kernel_module(member), Scope::kMember, placeholders, member.facts);
  return member;
}

}  // namespace

Port read_port(Host& host, const SurveyOptions& options, const PortPlace& place, Topology& topology) {
  Port port{.link = *place.layer3, .rdma = place.rdma};
  port.gids = read_gids(host, port.rdma.device, port.rdma.port);
  port.attributes = host.get(RdmaPortAttributesOf{port.rdma.device, port.rdma.port});
  port.rdma_statistics = host.get(RdmaStatisticsOf{port.rdma.device, port.rdma.port});
  for (const Link* link : place.members) port.members.push_back(read_member(host, options, port, *link, topology));
  const Placeholders placeholders = placeholders_of(port, port.netdev(), bdf_of(port));
  read_facts(host, options.facts, Scope::kPort, placeholders, port.facts);
  read_driver_facts(host, options, port.rdma.driver, Scope::kPort, placeholders, port.facts);
  return port;
}

}  // namespace rocert
