#include "host/netlink/rule.h"

#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>

namespace rocert::netlink {
namespace {

// linux/fib_rules.h of Linux 6.15; Debian 12's ends with FRA_DPORT_RANGE = 24.
enum : uint16_t { kDscp = 25, kSourcePortMask = 28, kDestinationPortMask = 29, kDscpMask = 30 };
constexpr uint32_t kUnset = 0xffffffff;  // of the suppressors

// What is read into a Rule, or is no selector (FRA_FLOW gives realms).
constexpr std::array<uint16_t, 20> kRead{FRA_DST,      FRA_SRC,         FRA_IIFNAME,          FRA_OIFNAME,
                                         FRA_GOTO,     FRA_PRIORITY,    FRA_FWMARK,           FRA_FWMASK,
                                         FRA_FLOW,     FRA_TABLE,       FRA_SUPPRESS_IFGROUP, FRA_SUPPRESS_PREFIXLEN,
                                         FRA_PAD,      FRA_L3MDEV,      FRA_UID_RANGE,        FRA_PROTOCOL,
                                         FRA_IP_PROTO, FRA_SPORT_RANGE, FRA_DPORT_RANGE,      kDscp};

// A mask that covers the whole field says nothing.
bool is_full_mask(const Attribute& attribute) {
  switch (attribute.type) {
    case kDscpMask:
      return plain<uint8_t>(attribute.payload) == uint8_t{0x3f};
    case kSourcePortMask:
    case kDestinationPortMask:
      return plain<uint16_t>(attribute.payload) == uint16_t{0xffff};
    default:
      return false;
  }
}

std::optional<std::vector<uint16_t>> unread_of(const Attributes& attributes) {
  std::vector<uint16_t> unread;
  for (const Attribute& attribute : attributes) {
    const bool known = std::find(kRead.begin(), kRead.end(), attribute.type) != kRead.end();
    if (!known && !is_full_mask(attribute)) unread.push_back(attribute.type);
  }
  if (unread.empty()) return std::nullopt;
  return unread;
}

std::optional<std::pair<uint16_t, uint16_t>> ports_of(const Attributes& attributes, uint16_t type) {
  const auto range = attributes.get<fib_rule_port_range>(type);
  if (!range) return std::nullopt;
  return std::pair{range->start, range->end};
}

std::optional<uint32_t> suppressor_of(const Attributes& attributes, uint16_t type) {
  const auto value = attributes.get<uint32_t>(type);
  return value == kUnset ? std::nullopt : value;
}

// Source or destination; false when its address does not fit its family and length.
bool read_prefix(const Attributes& attributes, uint16_t type, Family family, uint8_t length,
                 std::optional<Prefix>& prefix) {
  if (length == 0) return true;
  const auto payload = attributes.find(type);
  const auto address = payload ? address_of(*payload) : std::nullopt;
  if (!address || address->family != family || length > address_bits(family)) return false;
  prefix = Prefix{*address, length};
  return true;
}

void put_ports(Request& request, uint16_t type, const std::optional<std::pair<uint16_t, uint16_t>>& ports) {
  if (ports) request.put_plain(type, fib_rule_port_range{ports->first, ports->second});
}
template <class T>
void put_if(Request& request, uint16_t type, const std::optional<T>& value) {
  if (value) request.put_plain(type, *value);
}

Request request_for(uint16_t type, uint16_t flags, const Rule& rule) {
  fib_rule_hdr header{};
  header.family = static_cast<uint8_t>(address_family(rule.family));
  header.dst_len = rule.destination ? rule.destination->length : 0;
  header.src_len = rule.source ? rule.source->length : 0;
  header.tos = rule.tos;
  header.table = static_cast<uint8_t>(rule.table < 256 ? rule.table : RT_TABLE_UNSPEC);
  header.action = rule.action;
  header.flags = rule.inverted ? FIB_RULE_INVERT : 0;
  Request request(type, flags, header);
  request.put_plain(FRA_PRIORITY, rule.priority);
  if (rule.source && rule.source->length > 0) request.put(FRA_SRC, octets_of(rule.source->address));
  if (rule.destination && rule.destination->length > 0) request.put(FRA_DST, octets_of(rule.destination->address));
  if (!rule.in_interface.empty()) request.put_text(FRA_IIFNAME, rule.in_interface);
  if (!rule.out_interface.empty()) request.put_text(FRA_OIFNAME, rule.out_interface);
  if (rule.table != 0) request.put_plain(FRA_TABLE, rule.table);
  put_if(request, FRA_FWMARK, rule.mark);
  put_if(request, FRA_FWMASK, rule.mask);
  put_if(request, FRA_GOTO, rule.go_to);
  if (rule.l3mdev) request.put_plain(FRA_L3MDEV, uint8_t{1});
  put_if(request, FRA_SUPPRESS_PREFIXLEN, rule.suppress_prefix_length);
  put_if(request, FRA_SUPPRESS_IFGROUP, rule.suppress_group);
  put_if(request, FRA_IP_PROTO, rule.ip_protocol);
  put_ports(request, FRA_SPORT_RANGE, rule.source_ports);
  put_ports(request, FRA_DPORT_RANGE, rule.destination_ports);
  if (rule.uids) request.put_plain(FRA_UID_RANGE, fib_rule_uid_range{rule.uids->first, rule.uids->second});
  put_if(request, kDscp, rule.dscp);
  if (rule.protocol != 0) request.put_plain(FRA_PROTOCOL, rule.protocol);
  return request;
}

Result<> change(Socket& socket, uint16_t type, uint16_t flags, const Rule& rule, int fine, const KernelWrite& write) {
  if (rule.unread) return fail(ErrorKind::kUsage, to_text(write) + ": has selectors that rocert cannot write");
  Request request = request_for(type, flags, rule);
  const Reply reply = socket.exchange(request);
  if (reply.error == fine) return {};
  return reply.result(to_text(write));
}

}  // namespace

Observed<std::optional<Rule>> parse_rule(Octets body) {
  const auto header = plain<fib_rule_hdr>(body);
  const auto attributes = Attributes::parse_after(body, sizeof(fib_rule_hdr));
  if (!header || !attributes) return malformed("rule");
  const auto family = family_of(header->family);
  if (!family) return std::nullopt;
  Rule rule;
  rule.family = *family;
  if (!read_prefix(*attributes, FRA_SRC, *family, header->src_len, rule.source) ||
      !read_prefix(*attributes, FRA_DST, *family, header->dst_len, rule.destination))
    return malformed("rule");
  rule.priority = attributes->get<uint32_t>(FRA_PRIORITY).value_or(0);
  rule.inverted = (header->flags & FIB_RULE_INVERT) != 0;
  rule.in_interface = attributes->text(FRA_IIFNAME).value_or("");
  rule.out_interface = attributes->text(FRA_OIFNAME).value_or("");
  rule.tos = header->tos;
  rule.mark = attributes->get<uint32_t>(FRA_FWMARK);
  rule.mask = attributes->get<uint32_t>(FRA_FWMASK);
  rule.action = header->action;
  rule.table = attributes->get<uint32_t>(FRA_TABLE).value_or(header->table);
  rule.go_to = attributes->get<uint32_t>(FRA_GOTO);
  rule.l3mdev = attributes->get<uint8_t>(FRA_L3MDEV).value_or(0) != 0;
  rule.suppress_prefix_length = suppressor_of(*attributes, FRA_SUPPRESS_PREFIXLEN);
  rule.suppress_group = suppressor_of(*attributes, FRA_SUPPRESS_IFGROUP);
  rule.ip_protocol = attributes->get<uint8_t>(FRA_IP_PROTO);
  rule.source_ports = ports_of(*attributes, FRA_SPORT_RANGE);
  rule.destination_ports = ports_of(*attributes, FRA_DPORT_RANGE);
  if (const auto uids = attributes->get<fib_rule_uid_range>(FRA_UID_RANGE)) rule.uids = {uids->start, uids->end};
  rule.dscp = attributes->get<uint8_t>(kDscp);
  rule.protocol = attributes->get<uint8_t>(FRA_PROTOCOL).value_or(0);
  rule.unread = unread_of(*attributes);
  return rule;
}

Observed<std::vector<Rule>> read_rules(Socket& socket) {
  return collect(socket.dump(RTM_GETRULE, fib_rule_hdr{}), "rules", parse_rule);
}

Result<> write(Socket& socket, const AddRule& add) {
  return change(socket, RTM_NEWRULE, kExclusive, add.rule, EEXIST, add);
}

Result<> write(Socket& socket, const RemoveRule& remove) {
  return change(socket, RTM_DELRULE, kAck, remove.rule, ENOENT, remove);
}

}  // namespace rocert::netlink
