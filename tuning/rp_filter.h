// rp_filter as words, and how the `all` key and an interface's own key combine: the larger of the two is in force
// (Documentation/networking/ip-sysctl.rst).
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tuning/text_fact.h"

namespace rocert::tuning {

inline constexpr std::array<std::string_view, 3> kReversePathWords{"off", "strict", "loose"};

inline Observed<Value> reverse_path_word(const Facts& facts, std::string_view key) {
  const auto text = find_fact(facts, key);
  if (!text) return tl::unexpected(text.error());
  const auto number = parse_unsigned(*text);
  if (!number || *number >= kReversePathWords.size()) return malformed(key, *text, "0, 1 or 2");
  return Value(std::string(kReversePathWords[*number]));
}

}  // namespace rocert::tuning
