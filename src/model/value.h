// Value is what a setting can hold, closed: nothing, a flag, a number, a word, a set of bits, or a map of small
// numbers.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace rocert {

// The thing is there and holds nothing (no address, no entry): a value, not a Gap.
struct Absent {
  bool operator==(const Absent&) const = default;
};

// A set of small numbers, e.g. priorities; `width` is how many there can be.
struct Bits {
  uint64_t mask = 0;
  uint8_t width = 8;
  bool operator==(const Bits&) const = default;
};

using Table = std::map<uint32_t, uint32_t>;  // e.g. DSCP to priority
using Value = std::variant<Absent, bool, int64_t, std::string, Bits, Table>;

// Canonical text: "none", "on"/"off", "4200", "dscp", "0,0,0,1,0,0,0,0" (bits, lowest first), "26:3 48:6".
std::string to_text(const Value& value);

}  // namespace rocert
