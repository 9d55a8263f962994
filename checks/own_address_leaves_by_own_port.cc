#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "audit/check.h"
#include "base/text.h"
#include "checks/netdevs.h"
#include "checks/peers.h"

namespace rocert::checks {
namespace {

constexpr size_t kMostDestinations = 64;  // routes of one port that are asked about
constexpr uint8_t kUnicast = 1;           // RTN_UNICAST
constexpr uint32_t kUnusable = 0x28;      // IFA_F_DEPRECATED | IFA_F_DADFAILED

// One way that must lead out by the port: from one of its addresses to a peer that stands for a destination.
struct Way {
  IpAddress source;
  IpAddress peer;
  Prefix destination;
  bool on_link = false;
};

struct Fault {
  Severity severity;
  std::string seen;
  std::string says;
  std::string evidence;
};

bool is_reached_through(const Route& route, const Port& port, const Address& address) {
  if (route.type != kUnicast || route.destination.address.family != address.local.address.family) return false;
  const auto through = std::ranges::find(route.next_hops, port.link.ifindex, &NextHop::ifindex);
  if (through == route.next_hops.end() || !through->gateway) return false;
  // With several addresses on the port, a gateway goes with the one that is in its subnet.
  const auto near = [&](const Address& a) { return a.local.contains(*through->gateway); };
  return near(address) || std::ranges::none_of(port.addresses, near);
}

// The peers on link, and one for every destination that a route of any table reaches through a gateway of this port: a
// table that no rule leads to is found by that.
std::vector<Way> ways_from(const Address& address, const Port& port, const Snapshot& host) {
  std::vector<Way> ways;
  const IpAddress& source = address.local.address;
  if (const auto peer = on_link_peer(address, host)) ways.push_back({source, *peer, address.local.network(), true});
  std::set<Prefix> asked;
  for (const Route& route : *host.routes) {
    if (asked.size() == kMostDestinations) break;
    if (!is_reached_through(route, port, address) || !asked.insert(route.destination).second) continue;
    if (const auto peer = peer_in(route.destination, host)) ways.push_back({source, *peer, route.destination, false});
  }
  return ways;
}

std::string devices_text(const FibResult& result, const std::vector<Link>& links) {
  std::vector<std::string> names;
  for (const NextHop& hop : result.next_hops) {
    const Link* link = find_link(links, hop.ifindex);
    names.push_back(link == nullptr ? fmt::format("device {}", hop.ifindex) : link->name);
  }
  return names.empty() ? "no device" : join(names, " or ");
}

std::string answer_text(const FibResult& result, const std::vector<Link>& links) {
  if (result.outcome == FibOutcome::kNoEntry) return "no route";
  const std::string by = fmt::format("rule {}, table {}, route {}", result.rule_priority, result.route.table,
                                     to_text(result.route.destination));
  if (result.outcome == FibOutcome::kBlocked) return "refused (" + by + ")";
  return fmt::format("by {} ({})", devices_text(result, links), by);
}

// As RDMA resolves it, with source and device (drivers/infiniband/core/addr.c). IPv4 takes a peer without a route to be
// on link, which is right for those that are.
std::optional<Fault> ask_as_verbs(const FibView& fib, const Port& port, const Way& way) {
  const FibResult result =
      lookup(fib, {.destination = way.peer, .source = way.source, .out_ifindex = port.link.ifindex});
  const bool ipv4 = way.peer.family == Family::kIpv4;
  const bool routed = result.outcome == FibOutcome::kRoute;
  if (routed ? leaves_by(result, port.link.ifindex) : ipv4 && way.on_link) return std::nullopt;
  const std::string answer = answer_text(result, fib.links);
  std::string says =
      fmt::format("Queue pairs from {} to {} do not use this port.", to_text(way.source), to_text(way.destination));
  if (!routed) {
    says = fmt::format("The port has a route to {}, and no rule leads to it from {}: queue pairs to there {}.",
                       to_text(way.destination), to_text(way.source),
                       ipv4 ? "ask for the peer by ARP on the link and time out" : "cannot be connected");
    if (way.on_link)
      says = fmt::format("Queue pairs from {} to its own subnet cannot be connected.", to_text(way.source));
  }
  return Fault{Severity::kError, fmt::format("{} to {}: {}", to_text(way.source), to_text(way.peer), answer), says,
               fmt::format("{} from {} oif {}: {}", to_text(way.peer), to_text(way.source), port.netdev(), answer)};
}

// As a socket that is bound to the address alone. A default route through another port is nobody's fault, and a socket
// of a VRF is bound to the VRF as well.
std::optional<Fault> ask_as_socket(const FibView& fib, const Port& port, const Way& way) {
  if (way.destination.length == 0 || vrf_of(fib.links, port) != nullptr) return std::nullopt;
  const FibResult result = lookup(fib, {.destination = way.peer, .source = way.source});
  if (result.outcome == FibOutcome::kRoute && leaves_only_by(result, port.link.ifindex)) return std::nullopt;
  const std::string answer = answer_text(result, fib.links);
  return Fault{
      Severity::kWarn, fmt::format("{} to {}: {}", to_text(way.source), to_text(way.peer), answer),
      fmt::format("RDMA leaves by {}, but sockets bound to {} do not: bootstrap and rdma_cm traffic of this rail "
                  "takes another port.",
                  port.netdev(), to_text(way.source)),
      fmt::format("{} from {}: {}", to_text(way.peer), to_text(way.source), answer)};
}

std::optional<Gap> missing(const Snapshot& host) {
  if (!host.addresses) return host.addresses.error();
  if (!host.routes) return host.routes.error();
  if (!host.rules) return host.rules.error();
  if (!host.links) return host.links.error();
  return std::nullopt;
}

std::vector<Judgement> judge(const View& view, const Port& port) {
  const std::string wanted = "by " + port.netdev();
  if (port.rdma.state != "active") return {not_applicable("the port is not active")};
  if (const auto gap = missing(view.host)) return {unknown(*gap, wanted)};

  const FibView fib{*view.host.rules, *view.host.routes, *view.host.links};
  size_t asked = 0;
  std::vector<Fault> faults;
  for (const Address& address : port.addresses) {
    const IpAddress& ip = address.local.address;
    if (ip.is_link_local() || ip.is_loopback() || (address.flags & kUnusable) != 0) continue;
    for (const Way& way : ways_from(address, port, view.host)) {
      ++asked;
      auto fault = ask_as_verbs(fib, port, way);
      if (!fault) fault = ask_as_socket(fib, port, way);
      if (fault) faults.push_back(*std::move(fault));
    }
  }
  if (asked == 0) return {not_applicable("no address of the port has a peer on link or a route through a gateway")};
  if (faults.empty()) return {pass(wanted)};
  std::ranges::stable_sort(faults, std::ranges::greater{}, &Fault::severity);
  Judgement judgement = failure(faults.front().seen, wanted, faults.front().says);
  judgement.severity = faults.front().severity;
  for (const Fault& fault : faults) judgement.evidence.push_back(fault.evidence);
  return {judgement};
}

}  // namespace

extern constinit const Check own_address_leaves_by_own_port{
    .page =
        {.code = "own-address-leaves-by-own-port",
         .title = "What a port's own address sends leaves by that port",
         .why =
             "Linux routes by destination first. Without a rule for its source address, traffic of one rail can leave "
             "by the port of another, or find no route: queue pairs time out, or all rails share one port.",
         .remedy = "ip route add default via GATEWAY dev NETDEV table 102\n"
                   "ip rule add from ADDRESS lookup 102 priority 1002\n"
                   "ip route get PEER from ADDRESS oif NETDEV         (what RDMA gets; without oif: what sockets get)",
         .source = "drivers/infiniband/core/addr.c; net/ipv4/route.c (ip_route_output_key_hash_rcu); net/ipv6/route.c"},
    .severity = Severity::kError,
    .rule = PortRule(judge),
};

}  // namespace rocert::checks
