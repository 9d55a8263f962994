#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "audit/check.h"
#include "base/text.h"
#include "checks/netdevs.h"
#include "checks/peers.h"

namespace rocert::checks {
namespace {

constexpr std::array kReads{
    Fact{"sysctl.all.arp_ignore", Scope::kHost, "/proc/sys/net/ipv4/conf/all/arp_ignore"},
    Fact{"sysctl.all.arp_filter", Scope::kHost, "/proc/sys/net/ipv4/conf/all/arp_filter"},
    Fact{"sysctl.port.arp_ignore", Scope::kPort, "/proc/sys/net/ipv4/conf/{netdev}/arp_ignore"},
    Fact{"sysctl.port.arp_filter", Scope::kPort, "/proc/sys/net/ipv4/conf/{netdev}/arp_filter"}};
constexpr std::string_view kWanted = "arp_ignore 1 or 2 in force on each, or arp_filter 1 with a source rule for each";

// One IPv4 address of a port that belongs to a rail.
struct Place {
  const Port* port;
  Address address;
  int vrf;  // ifindex of the VRF, 0: none. A port does not answer for addresses in another one.
};

std::vector<Place> places_of(const View& view) {
  const auto rails = rails_of(view.profile == nullptr ? Rails{} : view.profile->rails, view.host);
  std::vector<Place> places;
  for (const Port& port : view.host.ports) {
    if (!rails.contains(port.netdev()) || (view.profile != nullptr && role_of(*view.profile, port) == nullptr))
      continue;
    const Link* vrf = view.host.links ? vrf_of(*view.host.links, port) : nullptr;
    for (const Address& address : port.addresses) {
      const IpAddress& ip = address.local.address;
      if (ip.family == Family::kIpv4 && !ip.is_link_local() && !ip.is_loopback() && address.local.length < 32)
        places.push_back({&port, address, vrf == nullptr ? 0 : vrf->ifindex});
    }
  }
  return places;
}

bool share_subnet(const Place& a, const Place& b) {
  return a.port != b.port && a.vrf == b.vrf &&
         (a.address.local.contains(b.address.local.address) || b.address.local.contains(a.address.local.address));
}

Observed<uint64_t> number(const Facts& facts, const std::string& key) {
  const auto text = find_fact(facts, key);
  if (!text) return tl::unexpected(text.error());
  if (const auto value = parse_unsigned(*text)) return *value;
  return gap(GapReason::kMalformed, fmt::format("{}: seen \"{}\", wanted a number", key, escaped(*text, 40)));
}

// In force is the larger of `all` and the port's own (IN_DEV_MAXCONF; for the flag of arp_filter, either).
Observed<uint64_t> in_force(const View& view, const Port& port, const std::string& name) {
  const auto all = number(view.host.facts, "sysctl.all." + name);
  const auto own = number(port.facts, "sysctl.port." + name);
  if (!all) return all;
  if (!own) return own;
  return std::max(*all, *own);
}

// Whether the port keeps silent about the addresses of others; a Gap where that cannot be told. arp_ignore 1 and 2 ask
// for the address on the port itself and 8 answers nothing; 0 and 3 to 7 answer for any (net/ipv4/arp.c, arp_ignore).
Observed<bool> answers_for_itself(const View& view, const Place& place) {
  const auto ignore = in_force(view, *place.port, "arp_ignore");
  if (ignore && (*ignore == 1 || *ignore == 2 || *ignore == 8)) return true;
  const auto filter = in_force(view, *place.port, "arp_filter");
  if (!filter) return tl::unexpected(filter.error());
  if (*filter == 0) return ignore ? Observed<bool>(false) : tl::unexpected(ignore.error());

  // The filter answers where a reply from that address would leave: right only with a rule per source.
  if (!view.host.rules) return tl::unexpected(view.host.rules.error());
  if (!view.host.routes) return tl::unexpected(view.host.routes.error());
  if (!view.host.links) return tl::unexpected(view.host.links.error());
  const auto peer = on_link_peer(place.address, view.host);
  if (!peer) return true;
  const FibResult result = lookup({*view.host.rules, *view.host.routes, *view.host.links},
                                  {.destination = *peer, .source = place.address.local.address});
  const bool own = result.outcome == FibOutcome::kRoute && leaves_only_by(result, place.port->link.ifindex);
  if (!own && !ignore) return tl::unexpected(ignore.error());
  return own;
}

std::string numbers_text(const View& view, const Port& port) {
  const auto text = [&](const std::string& name) {
    const auto value = in_force(view, port, name);
    return value ? std::to_string(*value) : to_text(value.error());
  };
  return fmt::format("{}: arp_ignore {}, arp_filter {} in force", port.netdev(), text("arp_ignore"),
                     text("arp_filter"));
}

std::vector<Judgement> judge(const View& view) {
  if (!view.host.addresses) return {unknown(view.host.addresses.error(), std::string(kWanted))};
  const std::vector<Place> places = places_of(view);
  std::vector<std::string> sharing;   // "ens1np0 198.18.0.11/24"
  std::vector<std::string> evidence;  // of those that answer for others
  std::optional<Gap> missing;
  for (const Place& place : places) {
    if (std::ranges::none_of(places, [&](const Place& other) { return share_subnet(place, other); })) continue;
    sharing.push_back(place.port->netdev() + " " + to_text(place.address.local));
    const auto alone = answers_for_itself(view, place);
    if (!alone) {
      missing = alone.error();
    } else if (!*alone) {
      evidence.push_back(numbers_text(view, *place.port));
    }
  }
  if (sharing.empty()) return {pass("no two RoCE ports share an IPv4 subnet")};
  if (!evidence.empty()) {
    Judgement judgement = failure("one subnet for " + join(sharing, ", "), std::string(kWanted),
                                  "Any of these ports may answer ARP for the address of another: peers learn one "
                                  "link-layer address for several, and one port carries the traffic of all.");
    judgement.evidence = std::move(evidence);
    judgement.settings = {"sysctl.port.arp_ignore", "sysctl.port.arp_announce", "sysctl.all.arp_ignore"};
    return {judgement};
  }
  if (missing) return {unknown(*missing, std::string(kWanted))};
  return {pass("each of " + join(sharing, ", ") + " answers for itself")};
}

}  // namespace

extern constinit const Check same_subnet_ports_answer_arp_for_themselves{
    .page =
        {.code = "same-subnet-ports-answer-arp-for-themselves",
         .title = "Ports that share an IPv4 subnet answer ARP only for their own address",
         .why = "Linux owns an address per host, not per port. With arp_ignore 0 every port in a subnet answers for "
                "every address of the host; peers then send the traffic of all rails to one port, and the others stay "
                "idle.",
         .remedy =
             "One subnet a rail; or on each port:\n"
             "echo 1 > /proc/sys/net/ipv4/conf/NETDEV/arp_ignore        (the larger of this and `all` is in force)\n"
             "echo 2 > /proc/sys/net/ipv4/conf/NETDEV/arp_announce\n"
             "ip neigh flush all                                        (on the peers, which still remember)",
         .source = "Documentation/networking/ip-sysctl.rst; net/ipv4/arp.c (arp_ignore, arp_filter)"},
    .severity = Severity::kError,
    .reads = kReads,
    .rule = HostRule(judge),
};

}  // namespace rocert::checks
