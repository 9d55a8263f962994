#include "model/driver_facts.h"

#include "base/text.h"

namespace rocert {
namespace {

constexpr DriverFacts kNothingKnown{.module = "generic"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

std::string kernel_module(const Member& member) {
  if (member.pci && !member.pci->driver.empty()) return member.pci->driver;
  return member.driver ? member.driver->driver : std::string();
}

const DriverFacts& DriverTable::find(std::string_view module) const {
  const DriverFacts* generic = &kNothingKnown;
  for (const DriverFacts* facts : facts_) {
    if (facts->serves(module)) return *facts;
    if (facts->module == "generic") generic = facts;
  }
  return *generic;
}

const CounterFact* DriverTable::find_counter(std::string_view module, std::string_view counter) const {
  const std::string name = lower(counter);
  for (const CounterFact& fact : find(module).counters) {
    if (matches_glob(lower(fact.pattern), name)) return &fact;
  }
  return nullptr;
}

}  // namespace rocert
