// IPv4 and IPv6 addresses, prefixes and link-layer addresses as plain values.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/fields.h"

namespace rocert {

enum class Family : uint8_t { kIpv4 = 4, kIpv6 = 6 };
template <>
struct Words<Family> {
  static constexpr std::array<std::pair<Family, std::string_view>, 2> values{
      {{Family::kIpv4, "ipv4"}, {Family::kIpv6, "ipv6"}}};
};

struct IpAddress {
  Family family = Family::kIpv4;
  std::array<uint8_t, 16> bytes{};  // network order; IPv4 uses the first four
  auto operator<=>(const IpAddress&) const = default;

  bool is_link_local() const;  // 169.254.0.0/16, fe80::/10
  bool is_loopback() const;
  bool is_multicast() const;
  bool is_unspecified() const;
};

struct Prefix {
  IpAddress address;  // host bits are kept: an interface address and its prefix in one
  uint8_t length = 0;
  auto operator<=>(const Prefix&) const = default;

  // Same family and the first `length` bits equal.
  bool contains(const IpAddress& other) const;
  // The same prefix with the host bits cleared.
  Prefix network() const;
};

// Number of bits of an address of the family: 32 or 128.
constexpr uint8_t address_bits(Family family) { return family == Family::kIpv4 ? 32 : 128; }

// Strict (inet_pton). "::ffff:a.b.c.d" stays IPv6.
std::optional<IpAddress> parse_ip(std::string_view text);
// "198.18.0.1/24"; without a length the full one.
std::optional<Prefix> parse_prefix(std::string_view text);
std::string to_text(const IpAddress& address);
std::string to_text(const Prefix& prefix);

}  // namespace rocert
