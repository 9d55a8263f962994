#include "survey/facts.h"

#include "base/text.h"

namespace rocert {
namespace {

bool is_component(std::string_view text) {
  return !text.empty() && text != "." && text != ".." && text.find('/') == std::string_view::npos;
}

Observed<std::string> value_of(std::string_view name, const Placeholders& placeholders) {
  const auto found = placeholders.find(name);
  if (found == placeholders.end())
    return gap(GapReason::kNotSupported, "{" + std::string(name) + "} means nothing at this scope");
  if (found->second && !is_component(*found->second))
    return gap(GapReason::kMalformed, "{" + std::string(name) + "} is \"" + escaped(*found->second, 60) + "\"");
  return found->second;
}

Observed<std::string> read_fact(Host& host, const Fact& fact, const Placeholders& placeholders) {
  const auto path = fill_in(fact.path, placeholders);
  if (!path) return path;
  const auto text = host.read(*path, fact.limit);
  if (!text) return text;
  return std::string(trim(*text));
}

}  // namespace

Observed<std::string> fill_in(std::string_view path, const Placeholders& placeholders) {
  std::string filled;
  for (;;) {
    const size_t open = path.find('{');
    filled += path.substr(0, open);
    if (open == std::string_view::npos) return filled;
    const size_t close = path.find('}', open);
    if (close == std::string_view::npos) return gap(GapReason::kMalformed, "unclosed brace in " + std::string(path));
    const auto value = value_of(path.substr(open + 1, close - open - 1), placeholders);
    if (!value) return value;
    filled += *value;
    path.remove_prefix(close + 1);
  }
}

void read_facts(Host& host, std::span<const Fact> facts, Scope scope, const Placeholders& placeholders, Facts& into) {
  for (const Fact& fact : facts) {
    const std::string key(fact.key);
    if (fact.scope == scope && !into.contains(key)) into.emplace(key, read_fact(host, fact, placeholders));
  }
}

}  // namespace rocert
