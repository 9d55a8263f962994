// Netlink messages built by hand, without the library that the code under test uses.
#pragma once
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "host/netlink/attributes.h"

namespace rocert::netlink {

using Buffer = std::vector<uint8_t>;

template <class T>
Buffer raw(const T& value) {
  Buffer bytes(sizeof(value));
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

inline Buffer text(std::string_view value) {
  Buffer bytes(value.begin(), value.end());
  bytes.push_back(0);
  return bytes;
}

inline Buffer join(std::initializer_list<Buffer> parts) {
  Buffer whole;
  for (const Buffer& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

// One attribute with its padding.
inline Buffer attribute(uint16_t type, const Buffer& payload) {
  const auto length = static_cast<uint16_t>(4 + payload.size());
  Buffer bytes = join({raw(length), raw(type), payload});
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

template <class T>
Buffer number(uint16_t type, T value) {
  return attribute(type, raw(value));
}

// Calls parse on every beginning of the message, each in memory of its own size, so that a sanitizer sees a read beyond
// it; and on the message with every byte turned over.
template <class Parse>
void mangle(const Buffer& message, Parse&& parse) {
  for (size_t size = 0; size < message.size(); ++size) {
    const Buffer cut(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(size));
    (void)parse(Octets(cut));
  }
  for (size_t i = 0; i < message.size(); ++i) {
    Buffer turned = message;
    turned[i] = static_cast<uint8_t>(~turned[i]);
    (void)parse(Octets(turned));
  }
}

}  // namespace rocert::netlink
