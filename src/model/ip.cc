#include "model/ip.h"

#include <arpa/inet.h>

#include <algorithm>

#include "base/text.h"

namespace rocert {

bool IpAddress::is_link_local() const {
  if (family == Family::kIpv4) return bytes[0] == 169 && bytes[1] == 254;
  return bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

bool IpAddress::is_loopback() const {
  if (family == Family::kIpv4) return bytes[0] == 127;
  return bytes[15] == 1 && std::all_of(bytes.begin(), bytes.begin() + 15, [](uint8_t b) { return b == 0; });
}

bool IpAddress::is_multicast() const { return family == Family::kIpv4 ? (bytes[0] & 0xf0) == 0xe0 : bytes[0] == 0xff; }

bool IpAddress::is_unspecified() const {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; });
}

bool Prefix::contains(const IpAddress& other) const {
  if (other.family != address.family) return false;
  const Prefix theirs{other, length};
  return theirs.network().address == network().address;
}

Prefix Prefix::network() const {
  Prefix result = *this;
  for (unsigned bit = length; bit < address_bits(address.family); ++bit) {
    result.address.bytes[bit / 8] = static_cast<uint8_t>(result.address.bytes[bit / 8] & ~(0x80u >> (bit % 8)));
  }
  return result;
}

std::optional<IpAddress> parse_ip(std::string_view text) {
  if (text.empty() || text.size() >= INET6_ADDRSTRLEN) return std::nullopt;
  const std::string copy(text);
  IpAddress address;
  if (inet_pton(AF_INET, copy.c_str(), address.bytes.data()) == 1) return address;
  address.family = Family::kIpv6;
  if (inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) == 1) return address;
  return std::nullopt;
}

std::optional<Prefix> parse_prefix(std::string_view text) {
  const size_t slash = text.find('/');
  const auto address = parse_ip(text.substr(0, slash));
  if (!address) return std::nullopt;
  const uint8_t bits = address_bits(address->family);
  if (slash == std::string_view::npos) return Prefix{*address, bits};
  const auto length = parse_int(text.substr(slash + 1));
  if (!length || *length < 0 || *length > bits) return std::nullopt;
  return Prefix{*address, static_cast<uint8_t>(*length)};
}

std::string to_text(const IpAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  inet_ntop(address.family == Family::kIpv4 ? AF_INET : AF_INET6, address.bytes.data(), buffer.data(), buffer.size());
  return buffer.data();
}

std::string to_text(const Prefix& prefix) { return to_text(prefix.address) + "/" + std::to_string(prefix.length); }

}  // namespace rocert
