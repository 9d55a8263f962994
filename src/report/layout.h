// Layout: what the text renderers share: colour, width, wrapping and the labelled lines of a block.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rocert {

enum class Tone { kGood, kWarn, kBad, kQuiet, kStrong };

// The text in a terminal's colour, or as it is.
std::string painted(bool color, Tone tone, std::string_view text);

// Columns of UTF-8 text, one a code point.
size_t columns(std::string_view text);
// The text with blanks up to `width` columns.
std::string left(std::string_view text, size_t width);
std::string right(std::string_view text, size_t width);

// Lines of at most `width` columns, broken at blanks; a longer word stays whole.
std::vector<std::string> wrap(std::string_view text, size_t width);

// "  LABEL  first line" and the other lines below it; lines are kept as they are.
std::string labelled(size_t indent, std::string_view label, const std::vector<std::string>& lines);

// Trimmed lines without empty ones at either end.
std::vector<std::string> lines_of(std::string_view text);

inline constexpr size_t kTextWidth = 100;  // of prose, whatever the terminal: transcripts stay equal
inline constexpr size_t kLabelWidth = 8;

}  // namespace rocert
