// The registered units, and what follows from all of them together.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/driver_facts.h"
#include "model/fact.h"
#include "model/page.h"
#include "model/profile.h"

namespace rocert {

// What a profile may speak of.
KnownKeys known_keys();
// The files that settings and checks want read, each once.
std::vector<Fact> declared_facts();
const DriverTable& driver_table();

// A unit as people look it up.
struct UnitEntry {
  const Page* page = nullptr;
  std::string_view kind;  // "check", "setting", "driver", "probe"
  std::string detail;     // "label: text" lines beyond the page: what it takes, its severity, its limits
};
// All units of a kind, by code; of every kind when it is empty.
std::vector<UnitEntry> list_units(std::string_view kind = {});
// The page of a check or setting; null when there is none.
const Page* find_page(std::string_view code);

// kUsage: 'no KIND "WORD"', with the nearest of the candidates.
Error unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& candidates);

}  // namespace rocert
