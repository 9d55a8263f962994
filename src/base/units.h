// The quantities that RoCE settings are made of, as types that cannot be mixed up. Parsing is strict: whole text or
// nothing.
#pragma once
#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocert {

struct Bytes {
  uint64_t count = 0;
  auto operator<=>(const Bytes&) const = default;
};

// Bits per second.
struct Bandwidth {
  double bits_per_second = 0;
  auto operator<=>(const Bandwidth&) const = default;
};

// Differentiated services code point, 0..63 (RFC 2474). Its traffic class byte is the value shifted left by two.
struct Dscp {
  uint8_t value = 0;
  auto operator<=>(const Dscp&) const = default;
};

// 802.1p / 802.1Qbb priority, 0..7.
struct Priority {
  uint8_t value = 0;
  auto operator<=>(const Priority&) const = default;
};

// Parses "400G", "100Gb/s", "2.5G", "800M" (powers of ten, bits a second). Nothing if malformed, negative or above
// 100T.
std::optional<Bandwidth> parse_bandwidth(std::string_view text);
// "400G", "212.4 Gb/s"-style text: three significant digits at least, unit M, G or T.
std::string to_text(Bandwidth bandwidth);

// Parses "64K", "1M", "4096", "8MiB" (K, M, G are powers of two). Nothing if malformed or above 2^50.
std::optional<Bytes> parse_bytes(std::string_view text);
std::string to_text(Bytes bytes);

// Parses "8us", "1.5ms", "60s", "10m", "2h", "500ns". Nothing if malformed, negative or above ten years.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);
std::string to_text(std::chrono::nanoseconds duration);

}  // namespace rocert
