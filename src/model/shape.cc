#include "model/shape.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text.h"
#include "base/units.h"

namespace rocert {
namespace {

constexpr int64_t kMillion = 1'000'000;
constexpr int64_t kPriorities = 8;

struct Step {
  std::string_view unit;
  int64_t size;
};
constexpr std::array<Step, 7> kDurations{{{"d", 86400'000'000'000},
                                          {"h", 3600'000'000'000},
                                          {"m", 60'000'000'000},
                                          {"s", 1'000'000'000},
                                          {"ms", kMillion},
                                          {"us", 1000},
                                          {"ns", 1}}};
constexpr std::array<Step, 3> kBandwidths{{{"T", 1'000'000'000'000}, {"G", 1'000'000'000}, {"M", kMillion}}};

// Steps of a NumberShape's Value in one natural unit: a ratio is kept to the millionth.
constexpr int64_t resolution(Unit unit) { return unit == Unit::kRatio ? kMillion : 1; }

// amount / size as exact decimal text: 2500 / 1000 is "2.5".
std::string decimal(int64_t amount, int64_t size) {
  std::string text = fmt::format("{}", amount / size);
  std::string fraction;
  for (int64_t rest = amount % size; rest != 0; rest %= size) {
    rest *= 10;
    fraction += static_cast<char>('0' + rest / size);
  }
  return fraction.empty() ? text : text + "." + fraction;
}

std::string duration_text(int64_t nanoseconds) {
  for (const auto& [unit, size] : kDurations) {
    if (nanoseconds != 0 && nanoseconds % size == 0) return fmt::format("{}{}", nanoseconds / size, unit);
  }
  return "0ns";
}

std::string bandwidth_text(int64_t bits) {
  for (const auto& [unit, size] : kBandwidths) {
    if (bits >= size) return fmt::format("{}{}", decimal(bits, size), unit);
  }
  return decimal(bits, kMillion) + "M";
}

// The Value of a number counted in steps of its unit's resolution.
Value held(Unit unit, int64_t amount) {
  switch (unit) {
    case Unit::kRatio:
      return decimal(amount, kMillion);
    case Unit::kDuration:
      return duration_text(amount);
    case Unit::kBandwidth:
      return bandwidth_text(amount);
    case Unit::kNone:
    case Unit::kBytes:
    case Unit::kPercent:
      break;
  }
  return amount;
}

std::optional<int64_t> parse_amount(Unit unit, std::string_view text) {
  switch (unit) {
    case Unit::kNone:
      return parse_int(text);
    case Unit::kPercent:
      return parse_int(text.ends_with('%') ? text.substr(0, text.size() - 1) : text);
    case Unit::kBytes:
      if (const auto bytes = parse_bytes(text)) return static_cast<int64_t>(bytes->count);
      return std::nullopt;
    case Unit::kBandwidth:
      if (const auto bandwidth = parse_bandwidth(text)) return std::llround(bandwidth->bits_per_second);
      return std::nullopt;
    case Unit::kDuration:
      if (const auto duration = parse_duration(text)) return duration->count();
      return std::nullopt;
    case Unit::kRatio:
      if (const auto ratio = parse_decimal(text); ratio && *ratio < 1e9) return std::llround(*ratio * kMillion);
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Bits> parse_priorities(std::string_view text) {
  if (text == "none") return Bits{};
  const std::vector<std::string_view> parts = split(text, ',');
  uint64_t set = 0;
  uint64_t canonical = 0;
  bool is_set = true;
  bool is_canonical = parts.size() == kPriorities;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_int(trim(parts[i]));
    if (!number || *number < 0 || *number >= kPriorities) return std::nullopt;
    const uint64_t bit = uint64_t{1} << *number;
    is_set = is_set && (set & bit) == 0;
    set |= bit;
    is_canonical = is_canonical && *number <= 1;
    if (is_canonical) canonical |= static_cast<uint64_t>(*number) << i;
  }
  if (is_canonical) return Bits{canonical, kPriorities};
  return is_set ? std::optional(Bits{set, kPriorities}) : std::nullopt;
}

std::optional<Table> parse_table(const MapShape& shape, std::string_view text) {
  Table table;
  if (text == "none") return table;
  for (const std::string_view part : split(text, ',')) {
    for (const std::string_view pair : split_words(part)) {
      const size_t colon = pair.find(':');
      if (colon == std::string_view::npos) return std::nullopt;
      const auto key = parse_int(pair.substr(0, colon));
      const auto value = parse_int(pair.substr(colon + 1));
      if (!key || *key < 0 || *key >= shape.keys || !value || *value < 0 || *value >= shape.values) return std::nullopt;
      if (!table.emplace(static_cast<uint32_t>(*key), static_cast<uint32_t>(*value)).second) return std::nullopt;
    }
  }
  return table.empty() ? std::nullopt : std::optional(table);
}

struct Parse {
  std::string_view text;

  std::optional<Value> operator()(const FlagShape&) const {
    if (text == "on" || text == "true") return true;
    if (text == "off" || text == "false") return false;
    return std::nullopt;
  }
  std::optional<Value> operator()(const NumberShape& shape) const {
    const auto amount = parse_amount(shape.unit, text);
    const int64_t steps = resolution(shape.unit);
    if (!amount || *amount < shape.min * steps || *amount > shape.max * steps) return std::nullopt;
    return held(shape.unit, *amount);
  }
  std::optional<Value> operator()(const ChoiceShape& shape) const {
    for (const std::string_view word : shape.words) {
      if (word == text) return std::string(word);
    }
    return std::nullopt;
  }
  std::optional<Value> operator()(const PrioritiesShape&) const {
    if (const auto bits = parse_priorities(text)) return *bits;
    return std::nullopt;
  }
  std::optional<Value> operator()(const MapShape& shape) const {
    if (auto table = parse_table(shape, text)) return *std::move(table);
    return std::nullopt;
  }
};

std::string range(const NumberShape& shape) {
  const int64_t steps = resolution(shape.unit);
  return fmt::format("from {} to {}", to_text(held(shape.unit, shape.min * steps)),
                     to_text(held(shape.unit, shape.max * steps)));
}

struct Describe {
  std::string operator()(const FlagShape&) const { return "on or off"; }
  std::string operator()(const NumberShape& shape) const {
    switch (shape.unit) {
      case Unit::kNone:
        break;
      case Unit::kBytes:
        return fmt::format("a number {} (bytes)", range(shape));
      case Unit::kPercent:
        return fmt::format("a number {} (percent)", range(shape));
      case Unit::kRatio:
        return fmt::format("a ratio {}", range(shape));
      case Unit::kDuration:
        return fmt::format("a duration {} with its unit, e.g. 8us", range(shape));
      case Unit::kBandwidth:
        return fmt::format("a bandwidth {} with its unit, e.g. 400G", range(shape));
    }
    return fmt::format("a number {}", range(shape));
  }
  std::string operator()(const ChoiceShape& shape) const {
    return fmt::format("one of {}", fmt::join(shape.words, ", "));
  }
  std::string operator()(const PrioritiesShape&) const { return "a set of priorities from 0 to 7: none, 3, or 3,4"; }
  std::string operator()(const MapShape& shape) const {
    return fmt::format("pairs KEY:VALUE, keys from 0 to {} and values from 0 to {}, or none", shape.keys - 1,
                       shape.values - 1);
  }
};

std::string suggestion(const Shape& shape, std::string_view text) {
  const auto* choice = std::get_if<ChoiceShape>(&shape);
  if (choice == nullptr) return {};
  const auto near = nearest(text, std::vector<std::string>(choice->words.begin(), choice->words.end()));
  return near ? fmt::format("; did you mean \"{}\"?", *near) : std::string();
}

}  // namespace

Result<Value> parse_value(const Shape& shape, std::string_view text) {
  if (auto value = std::visit(Parse{text}, shape)) return *std::move(value);
  return fail(ErrorKind::kMalformed, fmt::format("seen \"{}\", wanted {}{}", escaped(text, 60), describe(shape),
                                                 suggestion(shape, text.substr(0, 60))));
}

std::string describe(const Shape& shape) { return std::visit(Describe{}, shape); }

Value quantity(Unit unit, double natural) {
  return held(unit, std::llround(natural * static_cast<double>(resolution(unit))));
}

std::optional<double> number_of(const Value& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return static_cast<double>(*number);
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr) return std::nullopt;
  if (const auto ratio = parse_decimal(*word)) return ratio;
  if (const auto duration = parse_duration(*word)) return static_cast<double>(duration->count());
  if (const auto bandwidth = parse_bandwidth(*word)) return std::round(bandwidth->bits_per_second);
  return std::nullopt;
}

}  // namespace rocert
