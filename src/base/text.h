// Text without surprises: strict, locale-independent number parsing, trimming, splitting, globs, escaping, suggestions.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocert {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text);
// Splits at every occurrence of the separator; keeps empty parts. "" gives one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);
// Splits at runs of blanks (space, tab, CR, LF); no empty parts.
std::vector<std::string_view> split_words(std::string_view text);
std::string join(std::span<const std::string> parts, std::string_view separator);

// Whole text, decimal, optional leading '-'. Nothing if empty, malformed or out of range.
std::optional<int64_t> parse_int(std::string_view text);
// Whole text, decimal or with a 0x prefix. Nothing if empty, signed, malformed or out of range.
std::optional<uint64_t> parse_unsigned(std::string_view text);
// Whole text, digits with at most one point, no sign, no exponent.
std::optional<double> parse_decimal(std::string_view text);

// Shell-style match of the whole text: '*', '?', '[a-z0-9]', '[!...]'. No escapes, no braces.
bool matches_glob(std::string_view pattern, std::string_view text);

// Text from a host made safe for a terminal and a log: control bytes and invalid UTF-8 become \xNN, length is bounded.
std::string escaped(std::string_view text, size_t limit = 400);

// The candidate nearest to a misspelt word, if any is near enough to be worth saying.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace rocert
