// Shape says which values a setting or a limit takes: it parses them, prints them, and documents them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "model/value.h"

namespace rocert {

struct FlagShape {};
enum class Unit { kNone, kBytes, kBandwidth, kDuration, kPercent, kRatio };
// A Value holds a number such that it reads back without its shape:
//   none, bytes, percent         as int64_t
//   ratio, duration, bandwidth   as a word with its unit in canonical form: "0.9" (six decimals at most), "8us", "400G"
// Bounds count in the natural unit: as they stand, bytes, percent, the ratio itself, nanoseconds, bits per second.
struct NumberShape {
  int64_t min = 0;
  int64_t max = 0;
  Unit unit = Unit::kNone;
};
struct ChoiceShape {
  std::span<const std::string_view> words;
};
struct PrioritiesShape {};  // a set of 0..7: "none", "3", "3,4", [3, 4] in YAML, or the bits "0,0,0,1,0,0,0,0"
struct MapShape {           // KEY:VALUE pairs, both bounded, e.g. 64 DSCPs to 8 priorities
  uint32_t keys = 64;
  uint32_t values = 8;
};
using Shape = std::variant<FlagShape, NumberShape, ChoiceShape, PrioritiesShape, MapShape>;

// Strict: the whole text or an Error (kMalformed, without a place) that says what is taken.
Result<Value> parse_value(const Shape& shape, std::string_view text);
// "on or off", "a number from 68 to 65535 (bytes)", "one of off, strict, loose", ...
std::string describe(const Shape& shape);

// The Value of a number in its natural unit, as NumberShape holds it; rounded to a millionth (ratio) or to whole units.
Value quantity(Unit unit, double natural);
// The number that a Value holds, in its natural unit; none for anything but a number.
std::optional<double> number_of(const Value& value);

}  // namespace rocert
