#include "host/netlink/route.h"

#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>

namespace rocert::netlink {
namespace {

constexpr uint16_t kNexthopId = 30;           // RTA_NH_ID
constexpr uint32_t kNextHopFlags = 0xff;      // RTNH_F_* share rtm_flags with RTM_F_*
constexpr uint8_t kStateFlags = 0x01 | 0x10;  // RTNH_F_DEAD, RTNH_F_LINKDOWN: the kernel's own

// RTA_VIA: a gateway of another family than the route's.
std::optional<IpAddress> via_of(Octets payload) {
  const auto family = plain<uint16_t>(payload);
  const auto address = family ? address_of(payload.subspan(sizeof(uint16_t))) : std::nullopt;
  if (!address || family_of(*family) != address->family) return std::nullopt;
  return address;
}

// Gateway of a hop; false when there is one that cannot be read.
bool read_gateway(const Attributes& attributes, NextHop& hop) {
  const auto gateway = attributes.find(RTA_GATEWAY);
  const auto via = attributes.find(RTA_VIA);
  if (gateway) hop.gateway = address_of(*gateway);
  if (via) hop.gateway = via_of(*via);
  return hop.gateway.has_value() == (gateway.has_value() || via.has_value());
}

std::optional<std::vector<NextHop>> parse_multipath(Octets bytes) {
  std::vector<NextHop> hops;
  while (!bytes.empty()) {
    const auto header = plain<rtnexthop>(bytes);
    if (!header || header->rtnh_len < sizeof(rtnexthop) || header->rtnh_len > bytes.size()) return std::nullopt;
    const auto attributes = Attributes::parse_after(bytes.first(header->rtnh_len), sizeof(rtnexthop));
    NextHop hop{.ifindex = header->rtnh_ifindex,
                .weight = static_cast<uint16_t>(header->rtnh_hops + 1),
                .flags = header->rtnh_flags};
    if (!attributes || !read_gateway(*attributes, hop)) return std::nullopt;
    hops.push_back(hop);
    bytes = bytes.subspan(std::min<size_t>(RTNH_ALIGN(header->rtnh_len), bytes.size()));
  }
  return hops;
}

std::optional<std::vector<NextHop>> next_hops_of(const rtmsg& header, const Attributes& attributes) {
  if (const auto multipath = attributes.find(RTA_MULTIPATH)) return parse_multipath(*multipath);
  NextHop hop{.ifindex = attributes.get<int>(RTA_OIF).value_or(0),
              .flags = static_cast<uint8_t>(header.rtm_flags & kNextHopFlags)};
  if (!read_gateway(attributes, hop)) return std::nullopt;
  if (hop.ifindex == 0 && !hop.gateway) return std::vector<NextHop>{};
  return std::vector<NextHop>{hop};
}

// The prefix of an attribute and a length of the header; without the attribute the unspecified address.
std::optional<Prefix> prefix_of(const Attributes& attributes, uint16_t type, Family family, uint8_t length) {
  Prefix prefix{{.family = family}, length};
  if (const auto payload = attributes.find(type)) {
    const auto address = address_of(*payload);
    if (!address || address->family != family) return std::nullopt;
    prefix.address = *address;
  }
  if (length > address_bits(family)) return std::nullopt;
  return prefix;
}

void put_gateway(Request& request, Family family, const IpAddress& gateway) {
  if (gateway.family == family) return request.put(RTA_GATEWAY, octets_of(gateway));
  const auto via_family = static_cast<uint16_t>(address_family(gateway.family));
  std::vector<uint8_t> via(sizeof(via_family));
  std::memcpy(via.data(), &via_family, sizeof(via_family));
  const Octets octets = octets_of(gateway);
  via.insert(via.end(), octets.begin(), octets.end());
  request.put(RTA_VIA, via);
}

// struct rtnexthop and its gateway attribute, as bytes.
void append_hop(std::vector<uint8_t>& bytes, Family family, const NextHop& hop) {
  std::vector<uint8_t> attribute;
  if (hop.gateway) {
    Request gateway(RTM_NEWROUTE, 0, Octets{});
    put_gateway(gateway, family, *hop.gateway);
    attribute = gateway.attributes();
  }
  rtnexthop header{};
  header.rtnh_len = static_cast<uint16_t>(sizeof(header) + attribute.size());
  header.rtnh_flags = static_cast<uint8_t>(hop.flags & ~kStateFlags);
  header.rtnh_hops = static_cast<uint8_t>(std::clamp<int>(hop.weight, 1, 256) - 1);
  header.rtnh_ifindex = hop.ifindex;
  const auto* start = reinterpret_cast<const uint8_t*>(&header);
  bytes.insert(bytes.end(), start, start + sizeof(header));
  bytes.insert(bytes.end(), attribute.begin(), attribute.end());
}

void put_next_hops(Request& request, Family family, const std::vector<NextHop>& hops) {
  if (hops.size() == 1) {
    if (hops[0].ifindex != 0) request.put_plain(RTA_OIF, hops[0].ifindex);
    if (hops[0].gateway) put_gateway(request, family, *hops[0].gateway);
  } else if (!hops.empty()) {
    std::vector<uint8_t> bytes;
    for (const NextHop& hop : hops) append_hop(bytes, family, hop);
    request.put(RTA_MULTIPATH, bytes);
  }
}

Request request_for(uint16_t type, uint16_t flags, const Route& route) {
  const Family family = route.destination.address.family;
  rtmsg header{};
  header.rtm_family = static_cast<uint8_t>(address_family(family));
  header.rtm_dst_len = route.destination.length;
  header.rtm_src_len = route.source ? route.source->length : 0;
  header.rtm_tos = route.tos;
  header.rtm_table = static_cast<uint8_t>(route.table < 256 ? route.table : RT_TABLE_UNSPEC);
  header.rtm_protocol = route.protocol;
  header.rtm_scope = route.scope;
  header.rtm_type = route.type;
  if (route.next_hops.size() == 1) header.rtm_flags = route.next_hops[0].flags & ~uint32_t{kStateFlags};
  Request request(type, flags, header);
  if (route.destination.length > 0) request.put(RTA_DST, octets_of(route.destination.address));
  if (route.source) request.put(RTA_SRC, octets_of(route.source->address));
  request.put_plain(RTA_TABLE, route.table);
  if (route.metric != 0) request.put_plain(RTA_PRIORITY, route.metric);
  if (route.preferred_source) request.put(RTA_PREFSRC, octets_of(*route.preferred_source));
  if (route.mtu) request.nest(RTA_METRICS, [&] { request.put_plain(RTAX_MTU, *route.mtu); });
  if (route.preference) request.put_plain(RTA_PREF, *route.preference);
  if (route.nexthop_id) {
    request.put_plain(kNexthopId, *route.nexthop_id);
  } else {
    put_next_hops(request, family, route.next_hops);
  }
  return request;
}

// The same route to the same hops; what the kernel fills in by itself does not count.
bool is_same(const Route& a, const Route& b) {
  return a.destination == b.destination && a.source == b.source && a.table == b.table && a.type == b.type &&
         a.tos == b.tos && a.metric == b.metric && a.preferred_source == b.preferred_source && a.mtu == b.mtu &&
         a.nexthop_id == b.nexthop_id &&
         std::equal(a.next_hops.begin(), a.next_hops.end(), b.next_hops.begin(), b.next_hops.end(),
                    [](const NextHop& x, const NextHop& y) {
                      return x.ifindex == y.ifindex && x.gateway == y.gateway && x.weight == y.weight;
                    });
}

}  // namespace

Observed<std::optional<Route>> parse_route(Octets body) {
  const auto header = plain<rtmsg>(body);
  const auto attributes = Attributes::parse_after(body, sizeof(rtmsg));
  if (!header || !attributes) return malformed("route");
  const auto family = family_of(header->rtm_family);
  if (!family || (header->rtm_flags & RTM_F_CLONED) != 0) return std::nullopt;
  const auto destination = prefix_of(*attributes, RTA_DST, *family, header->rtm_dst_len);
  const auto source = prefix_of(*attributes, RTA_SRC, *family, header->rtm_src_len);
  const auto hops = next_hops_of(*header, *attributes);
  if (!destination || !source || !hops) return malformed("route");
  Route route;
  route.destination = *destination;
  if (header->rtm_src_len > 0) route.source = source;
  route.table = attributes->get<uint32_t>(RTA_TABLE).value_or(header->rtm_table);
  route.type = header->rtm_type;
  route.protocol = header->rtm_protocol;
  route.scope = header->rtm_scope;
  route.tos = header->rtm_tos;
  route.metric = attributes->get<uint32_t>(RTA_PRIORITY).value_or(0);
  if (const auto preferred = attributes->find(RTA_PREFSRC)) route.preferred_source = address_of(*preferred);
  if (const auto metrics = attributes->nest(RTA_METRICS)) route.mtu = metrics->get<uint32_t>(RTAX_MTU);
  route.nexthop_id = attributes->get<uint32_t>(kNexthopId);
  route.preference = attributes->get<uint8_t>(RTA_PREF);
  route.flags = header->rtm_flags;
  route.next_hops = *hops;
  return route;
}

Observed<std::vector<Route>> read_routes(Socket& socket) {
  return collect(socket.dump(RTM_GETROUTE, rtmsg{}), "routes", parse_route);
}

Result<> write(Socket& socket, const AddRoute& change) {
  Request request = request_for(RTM_NEWROUTE, kExclusive, change.route);
  const Reply reply = socket.exchange(request);
  if (reply.error == EEXIST) {
    const auto routes = read_routes(socket);
    if (routes && std::any_of(routes->begin(), routes->end(), [&](const Route& r) { return is_same(r, change.route); }))
      return {};
  }
  return reply.result(to_text(KernelWrite(change)));
}

Result<> write(Socket& socket, const RemoveRoute& change) {
  Request request = request_for(RTM_DELROUTE, kAck, change.route);
  const Reply reply = socket.exchange(request);
  if (reply.error == ESRCH) return {};
  return reply.result(to_text(KernelWrite(change)));
}

}  // namespace rocert::netlink
