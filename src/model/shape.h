// Shape says which values a setting or a limit takes: it parses them, prints them, and documents them.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "model/value.h"

namespace rocert {

struct FlagShape {};
enum class Unit { kNone, kBytes, kBandwidth, kDuration, kPercent, kRatio };
struct NumberShape {
  int64_t min = 0;
  int64_t max = 0;
  Unit unit = Unit::kNone;
};
struct ChoiceShape {
  std::span<const std::string_view> words;
};
struct PrioritiesShape {};  // a set of 0..7: "none", "3", "3,4", or [3, 4]
struct MapShape {           // KEY:VALUE pairs, both bounded, e.g. 64 DSCPs to 8 priorities
  uint32_t keys = 64;
  uint32_t values = 8;
};
using Shape = std::variant<FlagShape, NumberShape, ChoiceShape, PrioritiesShape, MapShape>;

// Strict: the whole text or an Error (kMalformed, without a place) that says what is taken.
Result<Value> parse_value(const Shape& shape, std::string_view text);
// "on or off", "a number from 68 to 65535 (bytes)", "one of off, strict, loose", ...
std::string describe(const Shape& shape);

}  // namespace rocert
