#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "base/text.h"

namespace rocert {
namespace {

struct Quantity {
  double number;
  std::string_view unit;
};

std::optional<Quantity> split_quantity(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  const auto number = parse_decimal(text.substr(0, end));
  if (!number) return std::nullopt;
  text.remove_prefix(end);
  if (text.starts_with(' ')) text.remove_prefix(1);
  return Quantity{*number, text};
}

template <size_t N>
std::optional<double> scaled(std::string_view text, const std::array<std::pair<std::string_view, double>, N>& units,
                             double limit) {
  const auto quantity = split_quantity(text);
  if (!quantity) return std::nullopt;
  for (const auto& [unit, factor] : units) {
    if (quantity->unit != unit) continue;
    const double value = quantity->number * factor;
    if (value > limit) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

constexpr std::array<std::pair<std::string_view, double>, 9> kBandwidthUnits{{{"M", 1e6},
                                                                              {"Mb/s", 1e6},
                                                                              {"Mbit/s", 1e6},
                                                                              {"G", 1e9},
                                                                              {"Gb/s", 1e9},
                                                                              {"Gbit/s", 1e9},
                                                                              {"T", 1e12},
                                                                              {"Tb/s", 1e12},
                                                                              {"Tbit/s", 1e12}}};
constexpr std::array<std::pair<std::string_view, double>, 8> kByteUnits{{{"", 1.0},
                                                                         {"B", 1.0},
                                                                         {"K", 1024.0},
                                                                         {"KiB", 1024.0},
                                                                         {"M", 1048576.0},
                                                                         {"MiB", 1048576.0},
                                                                         {"G", 1073741824.0},
                                                                         {"GiB", 1073741824.0}}};
constexpr std::array<std::pair<std::string_view, double>, 8> kTimeUnits{
    {{"ns", 1.0}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}}};

std::string shortest(double value, std::string_view unit) {
  const double rounded = std::round(value);
  if (std::abs(value - rounded) < 1e-9 * std::max(1.0, std::abs(value))) return fmt::format("{:.0f}{}", rounded, unit);
  return fmt::format("{:.4g}{}", value, unit);
}

}  // namespace

std::optional<Bandwidth> parse_bandwidth(std::string_view text) {
  const auto value = scaled(text, kBandwidthUnits, 1e14);
  if (!value) return std::nullopt;
  return Bandwidth{*value};
}

std::string to_text(Bandwidth bandwidth) {
  const double b = bandwidth.bits_per_second;
  if (b >= 1e12) return shortest(b / 1e12, "T");
  if (b >= 1e9) return shortest(b / 1e9, "G");
  return shortest(b / 1e6, "M");
}

std::optional<Bytes> parse_bytes(std::string_view text) {
  const auto value = scaled(text, kByteUnits, 1125899906842624.0);
  if (!value || std::floor(*value) != *value) return std::nullopt;
  return Bytes{static_cast<uint64_t>(*value)};
}

std::string to_text(Bytes bytes) {
  const uint64_t n = bytes.count;
  if (n != 0 && n % (1ULL << 30) == 0) return fmt::format("{}GiB", n >> 30);
  if (n != 0 && n % (1ULL << 20) == 0) return fmt::format("{}MiB", n >> 20);
  if (n != 0 && n % (1ULL << 10) == 0) return fmt::format("{}KiB", n >> 10);
  return fmt::format("{}B", n);
}

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const auto value = scaled(text, kTimeUnits, 3653.0 * 86400e9);
  if (!value) return std::nullopt;
  return std::chrono::nanoseconds(static_cast<int64_t>(std::llround(*value)));
}

std::string to_text(std::chrono::nanoseconds duration) {
  const auto n = static_cast<double>(duration.count());
  if (n >= 1e9) return shortest(n / 1e9, "s");
  if (n >= 1e6) return shortest(n / 1e6, "ms");
  if (n >= 1e3) return shortest(n / 1e3, "us");
  return shortest(n, "ns");
}

}  // namespace rocert
