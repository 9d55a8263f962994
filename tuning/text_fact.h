// Settings that are one small text file: the fact as a number, a flag or a word, or the Gap that says why not.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tune/setting.h"

namespace rocert::tuning {

// Facts of the subject's port, or of the host at host scope.
inline Observed<std::string> text_fact(const View& view, std::string_view key) {
  return find_fact(view.port == nullptr ? view.host.facts : view.port->facts, key);
}

inline tl::unexpected<Gap> malformed(std::string_view key, std::string_view seen, std::string_view wanted) {
  return gap(GapReason::kMalformed, fmt::format("{}: seen \"{}\", wanted {}", key, escaped(seen, 60), wanted));
}

inline Observed<Value> number_fact(const View& view, std::string_view key,
                                   int64_t largest = std::numeric_limits<int32_t>::max()) {
  const auto text = text_fact(view, key);
  if (!text) return tl::unexpected(text.error());
  const auto number = parse_int(*text);
  if (!number || *number < 0 || *number > largest)
    return malformed(key, *text, fmt::format("a number from 0 to {}", largest));
  return Value(*number);
}

inline Observed<Value> flag_fact(const View& view, std::string_view key) {
  const auto text = text_fact(view, key);
  if (!text) return tl::unexpected(text.error());
  if (*text != "0" && *text != "1") return malformed(key, *text, "0 or 1");
  return Value(*text == "1");
}

}  // namespace rocert::tuning
