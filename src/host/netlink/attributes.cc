#include "host/netlink/attributes.h"

#include <linux/netlink.h>
#include <sys/socket.h>

#include <algorithm>

namespace rocert::netlink {

std::optional<Attributes> Attributes::parse(Octets bytes) {
  Attributes attributes;
  while (bytes.size() >= sizeof(nlattr)) {
    const nlattr header = *plain<nlattr>(bytes);
    if (header.nla_len < NLA_HDRLEN || header.nla_len > bytes.size()) return std::nullopt;
    attributes.all_.push_back({static_cast<uint16_t>(header.nla_type & NLA_TYPE_MASK),
                               bytes.subspan(NLA_HDRLEN, header.nla_len - NLA_HDRLEN)});
    bytes = bytes.subspan(std::min<size_t>(NLA_ALIGN(header.nla_len), bytes.size()));
  }
  return attributes;
}

std::optional<Attributes> Attributes::parse_after(Octets bytes, size_t size) {
  if (bytes.size() < size) return std::nullopt;
  return parse(bytes.subspan(std::min<size_t>(NLMSG_ALIGN(size), bytes.size())));
}

std::optional<Octets> Attributes::find(uint16_t type) const {
  const auto found = std::find_if(all_.rbegin(), all_.rend(), [&](const Attribute& a) { return a.type == type; });
  if (found == all_.rend()) return std::nullopt;
  return found->payload;
}

std::optional<std::string> Attributes::text(uint16_t type) const {
  const auto payload = find(type);
  if (!payload) return std::nullopt;
  return text_of(*payload);
}

std::optional<Attributes> Attributes::nest(uint16_t type) const {
  const auto payload = find(type);
  return payload ? parse(*payload) : std::nullopt;
}

std::string text_of(Octets payload) { return {payload.begin(), std::find(payload.begin(), payload.end(), uint8_t{0})}; }

std::string hex_of(Octets payload, char separator) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : payload) {
    if (separator != '\0' && !text.empty()) text += separator;
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<IpAddress> address_of(Octets payload) {
  if (payload.size() != 4 && payload.size() != 16) return std::nullopt;
  IpAddress address;
  address.family = payload.size() == 4 ? Family::kIpv4 : Family::kIpv6;
  std::copy(payload.begin(), payload.end(), address.bytes.begin());
  return address;
}

std::optional<Family> family_of(int address_family) {
  if (address_family == AF_INET) return Family::kIpv4;
  if (address_family == AF_INET6) return Family::kIpv6;
  return std::nullopt;
}

int address_family(Family family) { return family == Family::kIpv4 ? AF_INET : AF_INET6; }

Octets octets_of(const IpAddress& address) { return Octets(address.bytes).first(address_bits(address.family) / 8); }

}  // namespace rocert::netlink
