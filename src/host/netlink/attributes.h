// Netlink attributes as a checked walk over bytes: a length that lies ends in nothing, never in a read beside it.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "model/ip.h"

namespace rocert::netlink {

using Octets = std::span<const uint8_t>;

struct Attribute {
  uint16_t type = 0;  // without the flags for nesting and byte order
  Octets payload;
};

// The attributes of one level, in order; they point into the bytes that they were parsed from.
class Attributes {
 public:
  Attributes() = default;

  // Nothing when a length is shorter than its own header or longer than what is left.
  static std::optional<Attributes> parse(Octets bytes);
  // The attributes behind a fixed header of `size` bytes.
  static std::optional<Attributes> parse_after(Octets bytes, size_t size);

  std::vector<Attribute>::const_iterator begin() const { return all_.begin(); }
  std::vector<Attribute>::const_iterator end() const { return all_.end(); }

  // Payload of the last attribute of the type, as the kernel's own parser takes it.
  std::optional<Octets> find(uint16_t type) const;
  bool has(uint16_t type) const { return find(type).has_value(); }
  // Text up to its NUL or to the end of the payload.
  std::optional<std::string> text(uint16_t type) const;
  // Attributes inside an attribute; nothing when it is not there or malformed.
  std::optional<Attributes> nest(uint16_t type) const;
  // A number or a plain struct in host order; a shorter payload is nothing, a longer one is read from its start.
  template <class T>
  std::optional<T> get(uint16_t type) const;

 private:
  std::vector<Attribute> all_;
};

// The first bytes as a plain struct, nothing when there are fewer.
template <class T>
std::optional<T> plain(Octets bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (bytes.size() < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

template <class T>
std::optional<T> Attributes::get(uint16_t type) const {
  const auto payload = find(type);
  return payload ? plain<T>(*payload) : std::nullopt;
}

std::string text_of(Octets payload);
// Bytes in hexadecimal with a separator between them; '\0': none.
std::string hex_of(Octets payload, char separator);
// 4 or 16 bytes as an address.
std::optional<IpAddress> address_of(Octets payload);
// AF_INET or AF_INET6 as a Family, nothing for others.
std::optional<Family> family_of(int address_family);
int address_family(Family family);
// The bytes of an address that netlink carries: 4 or 16.
Octets octets_of(const IpAddress& address);

}  // namespace rocert::netlink
