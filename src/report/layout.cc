#include "report/layout.h"

#include <algorithm>

#include "base/text.h"

namespace rocert {
namespace {

std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kWarn:
      return "\x1b[33m";
    case Tone::kBad:
      return "\x1b[1;31m";
    case Tone::kQuiet:
      return "\x1b[2m";
    case Tone::kStrong:
      return "\x1b[1m";
  }
  return "";
}

}  // namespace

std::string painted(bool color, Tone tone, std::string_view text) {
  if (!color) return std::string(text);
  return std::string(code_of(tone)).append(text).append("\x1b[0m");
}

size_t columns(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string left(std::string_view text, size_t width) {
  const size_t used = columns(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string right(std::string_view text, size_t width) {
  const size_t used = columns(text);
  return std::string(used < width ? width - used : 0, ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view word : split_words(text)) {
    if (lines.empty() || columns(lines.back()) + 1 + columns(word) > width) {
      lines.emplace_back(word);
    } else {
      lines.back().append(" ").append(word);
    }
  }
  return lines;
}

std::string labelled(size_t indent, std::string_view label, const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    std::string head = std::string(indent, ' ') + left(&line == &lines.front() ? label : "", kLabelWidth);
    out.append(line.empty() ? "" : head + line).append("\n");
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(trim(text), '\n')) lines.emplace_back(trim(line));
  return lines;
}

}  // namespace rocert
