// Host lists: expansion piece by piece with the count known before a name is made, compression of neighbours.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "model/inventory.h"

namespace rocert {
namespace {

constexpr size_t kListLength = size_t{1} << 20;  // bytes
constexpr size_t kNameLength = 253;              // RFC 1035 names
constexpr size_t kDigits = 18;                   // of a number in a name that counts; fits 64 bits
constexpr size_t kFields = 16;                   // brackets in one name

struct Numbers {  // first to last, printed with at least `width` digits
  uint64_t first = 0;
  uint64_t last = 0;
  size_t width = 0;
};

// A literal, and the numbers that follow it; the last part has none.
struct Part {
  std::string literal;
  std::vector<Numbers> numbers;
};

tl::unexpected<Error> malformed(std::string_view text, std::string_view wanted) {
  return fail(ErrorKind::kMalformed, fmt::format("host list: seen \"{}\", wanted {}", escaped(text, 60), wanted));
}

// Splits at commas outside of brackets.
Result<std::vector<std::string_view>> split_pieces(std::string_view list) {
  std::vector<std::string_view> pieces;
  size_t start = 0;
  bool inside = false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '[' || list[i] == ']') {
      if (inside == (list[i] == '[')) return malformed(list.substr(start, i + 1 - start), "brackets in pairs");
      inside = !inside;
    } else if (list[i] == ',' && !inside) {
      pieces.push_back(trim(list.substr(start, i - start)));
      start = i + 1;
    }
  }
  if (inside) return malformed(list.substr(start), "brackets in pairs");
  pieces.push_back(trim(list.substr(start)));
  return pieces;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= kDigits && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_padded(std::string_view number) { return number.size() > 1 && number[0] == '0'; }

// "01-03" or "7".
Result<Numbers> parse_numbers(std::string_view text) {
  const size_t dash = text.find('-');
  const std::string_view low = text.substr(0, dash);
  const std::string_view high = dash == std::string_view::npos ? low : text.substr(dash + 1);
  if (!is_number(low) || !is_number(high)) return malformed(text, fmt::format("numbers of at most {} digits", kDigits));
  if ((is_padded(low) || is_padded(high)) && low.size() != high.size()) {
    return malformed(text, "as many digits at both ends where one has leading zeros");
  }
  const Numbers numbers{*parse_unsigned(low), *parse_unsigned(high), is_padded(low) ? low.size() : 1};
  if (numbers.first > numbers.last) return malformed(text, "a range that ends above its start");
  return numbers;
}

Result<std::vector<Part>> parse_piece(std::string_view piece) {
  std::vector<Part> parts;
  for (std::string_view rest = piece;;) {
    const size_t open = rest.find('[');
    Part& part = parts.emplace_back();
    part.literal = std::string(rest.substr(0, open));
    if (open == std::string_view::npos) return parts;
    if (parts.size() > kFields) return malformed(piece, fmt::format("at most {} brackets in one name", kFields));
    const size_t close = rest.find(']');
    for (const std::string_view text : split(rest.substr(open + 1, close - open - 1), ',')) {
      part.numbers.push_back(TRY(parse_numbers(text)));
    }
    rest.remove_prefix(close + 1);
  }
}

// How many names the parts stand for, or limit + 1 when it is more.
size_t count_names(const std::vector<Part>& parts, size_t limit) {
  uint64_t total = 1;
  for (const Part& part : parts) {
    if (part.numbers.empty()) continue;
    uint64_t choices = 0;
    for (const Numbers& range : part.numbers) {
      choices += range.last - range.first + 1;
      if (choices > limit) return limit + 1;
    }
    total *= choices;
    if (total > limit) return limit + 1;
  }
  return total;
}

// Appends every name that starts with `name`, the rightmost number running fastest.
void append_names(const std::vector<Part>& parts, size_t at, const std::string& name, std::vector<std::string>& names) {
  const std::string start = name + parts[at].literal;
  if (at + 1 == parts.size()) {
    names.push_back(start);
    return;
  }
  for (const Numbers& range : parts[at].numbers) {
    for (uint64_t number = range.first; number <= range.last; ++number) {
      append_names(parts, at + 1, start + fmt::format("{:0{}}", number, range.width), names);
    }
  }
}

bool is_host_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= kNameLength && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

// A run of hosts that differ in their numbers alone: n literals around n-1 fields, each with the texts of its numbers.
struct Pattern {
  std::vector<std::string> literals;
  std::vector<std::vector<std::string>> fields;
};

Pattern pattern_of(std::string_view name) {
  Pattern pattern;
  std::string literal;
  for (size_t at = 0; at < name.size();) {
    const auto end = std::find_if_not(name.begin() + static_cast<ptrdiff_t>(at), name.end(), is_digit);
    const auto digits = static_cast<size_t>(end - name.begin()) - at;
    if (digits == 0 || digits > kDigits || pattern.fields.size() == kFields) {
      const size_t taken = std::max<size_t>(digits, 1);
      literal += name.substr(at, taken);
      at += taken;
      continue;
    }
    pattern.literals.push_back(std::exchange(literal, {}));
    pattern.fields.push_back({std::string(name.substr(at, digits))});
    at += digits;
  }
  pattern.literals.push_back(std::move(literal));
  return pattern;
}

bool differ_in_one_field(const Pattern& a, const Pattern& b, size_t field) {
  if (a.literals != b.literals || field >= a.fields.size()) return false;
  for (size_t i = 0; i < a.fields.size(); ++i) {
    if (i != field && a.fields[i] != b.fields[i]) return false;
  }
  return true;
}

// Joins neighbours that differ in that field. Fields left of it must still hold one number each: the order of expansion
// stays.
std::vector<Pattern> join_neighbours(std::vector<Pattern> patterns, size_t field) {
  std::vector<Pattern> joined;
  for (Pattern& pattern : patterns) {
    if (!joined.empty() && differ_in_one_field(joined.back(), pattern, field)) {
      auto& numbers = joined.back().fields[field];
      numbers.insert(numbers.end(), pattern.fields[field].begin(), pattern.fields[field].end());
    } else {
      joined.push_back(std::move(pattern));
    }
  }
  return joined;
}

bool follows(std::string_view first, std::string_view before, std::string_view number) {
  if (is_padded(number) ? number.size() != first.size() : is_padded(first) && number.size() != first.size())
    return false;
  return *parse_unsigned(number) == *parse_unsigned(before) + 1;
}

// "[01-03,7]", or the number alone.
std::string field_text(const std::vector<std::string>& numbers) {
  if (numbers.size() == 1) return numbers.front();
  std::vector<std::string> ranges;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && follows(numbers[i], numbers[end - 1], numbers[end])) ++end;
    ranges.push_back(end == i + 1 ? numbers[i] : numbers[i] + "-" + numbers[end - 1]);
    i = end;
  }
  return "[" + join(ranges, ",") + "]";
}

std::string pattern_text(const Pattern& pattern) {
  std::string text = pattern.literals.front();
  for (size_t i = 0; i < pattern.fields.size(); ++i) text += field_text(pattern.fields[i]) + pattern.literals[i + 1];
  return text;
}

}  // namespace

Result<std::vector<std::string>> expand_hosts(std::string_view list, size_t limit) {
  if (list.size() > kListLength) return malformed(list, fmt::format("at most {} bytes", kListLength));
  std::vector<std::string> names;
  for (const std::string_view piece : TRY(split_pieces(list))) {
    const std::vector<Part> parts = TRY(parse_piece(piece));
    if (count_names(parts, limit) > limit - names.size())
      return malformed(piece, fmt::format("at most {} hosts", limit));
    const size_t before = names.size();
    append_names(parts, 0, "", names);
    for (size_t i = before; i < names.size(); ++i) {
      if (is_host_name(names[i])) continue;
      return malformed(piece, "names of letters, digits, '.', '-' and '_' that do not start with '-'");
    }
  }
  return names;
}

std::string compress_hosts(const std::vector<std::string>& hosts) {
  std::vector<Pattern> patterns;
  std::set<std::string_view> seen;
  size_t fields = 0;
  for (const std::string& host : hosts) {
    if (!seen.insert(host).second) continue;
    fields = std::max(fields, patterns.emplace_back(pattern_of(host)).fields.size());
  }
  for (size_t field = fields; field-- > 0;) patterns = join_neighbours(std::move(patterns), field);
  std::vector<std::string> pieces;
  for (const Pattern& pattern : patterns) pieces.push_back(pattern_text(pattern));
  return join(pieces, ",");
}

}  // namespace rocert
