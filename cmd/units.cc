#include "cmd/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "model/shape.h"
#include "registry/checks.h"
#include "registry/drivers.h"
#include "registry/probes.h"
#include "registry/settings.h"

namespace rocert {
namespace {

std::string detail_of(const Check& check) {
  std::string detail = fmt::format("weight: {}\n", word_of(check.severity));
  for (const Limit& limit : check.limits) {
    detail += fmt::format(
        "limit: {}: {}; {}; {}\n", limit.key, limit.says, describe(limit.shape),
        limit.fallback.empty() ? "judged only where the profile states it" : fmt::format("default {}", limit.fallback));
  }
  if (!check.covers.empty()) detail += fmt::format("covers: {}\n", fmt::join(check.covers, ", "));
  return detail;
}

std::string detail_of(const Setting& setting) {
  constexpr std::string_view kScopes[] = {"the host", "each port", "each member of a port"};
  return fmt::format("weight: {}\nof: {}\ntakes: {}\n", word_of(setting.severity),
                     kScopes[static_cast<size_t>(setting.scope)], describe(setting.takes));
}

std::string detail_of(const Driver& driver) {
  std::string detail;
  for (const std::string_view deviation : driver.facts.deviations) detail += fmt::format("differs: {}\n", deviation);
  return detail;
}

std::string detail_of(const Probe&) { return {}; }

template <class Units>
void append(std::vector<UnitEntry>& entries, const Units& units, std::string_view kind, std::string_view wanted) {
  if (!wanted.empty() && wanted != kind) return;
  const auto first = static_cast<std::ptrdiff_t>(entries.size());
  for (const auto* unit : units) entries.push_back({&unit->page, kind, detail_of(*unit)});
  std::ranges::sort(entries.begin() + first, entries.end(), {},
                    [](const UnitEntry& entry) { return entry.page->code; });
}

}  // namespace

KnownKeys known_keys() {
  KnownKeys keys;
  for (const Setting* setting : registry::settings()) {
    keys.settings.emplace(setting->page.code, setting->takes);
    keys.codes.emplace(setting->page.code);
  }
  for (const Check* check : registry::checks()) {
    keys.codes.emplace(check->page.code);
    for (const Limit& limit : check->limits) keys.limits.emplace(limit.key, limit.shape);
  }
  return keys;
}

std::vector<Fact> declared_facts() {
  std::vector<Fact> facts;
  const auto add = [&](std::span<const Fact> reads) {
    for (const Fact& fact : reads) {
      const bool known = std::ranges::any_of(
          facts, [&](const Fact& other) { return other.key == fact.key && other.scope == fact.scope; });
      if (!known) facts.push_back(fact);
    }
  };
  for (const Setting* setting : registry::settings()) add(setting->reads);
  for (const Check* check : registry::checks()) add(check->reads);
  return facts;
}

const DriverTable& driver_table() {
  static const std::vector<const DriverFacts*> facts = [] {
    std::vector<const DriverFacts*> all;
    for (const Driver* driver : registry::drivers()) all.push_back(&driver->facts);
    return all;
  }();
  static const DriverTable table(facts);
  return table;
}

std::vector<UnitEntry> list_units(std::string_view kind) {
  std::vector<UnitEntry> entries;
  append(entries, registry::checks(), "check", kind);
  append(entries, registry::settings(), "setting", kind);
  append(entries, registry::drivers(), "driver", kind);
  append(entries, registry::probes(), "probe", kind);
  return entries;
}

const Page* find_page(std::string_view code) {
  for (const Setting* setting : registry::settings()) {
    if (setting->page.code == code) return &setting->page;
  }
  for (const Check* check : registry::checks()) {
    if (check->page.code == code) return &check->page;
  }
  return nullptr;
}

Error unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& candidates) {
  std::string message = fmt::format("no {} \"{}\"", kind, escaped(word, 80));
  if (const auto near = nearest(word, candidates)) message += fmt::format("; did you mean \"{}\"?", *near);
  return {ErrorKind::kUsage, std::move(message), {}};
}

}  // namespace rocert
