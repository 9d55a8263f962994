// The page of a unit: what `explain`, the man pages, the docs and the reports say about a check, setting, driver or
// probe.
#pragma once
#include <string_view>

namespace rocert {

struct Page {
  std::string_view
      code;  // kebab-case sentence of a check, group.name of a setting, module of a driver, name of a probe
  std::string_view title;   // one line, no full stop
  std::string_view why;     // what goes wrong without it, for an engineer who meets it at two in the morning
  std::string_view remedy;  // what to do by hand, commands included; empty where there is nothing to do
  std::string_view source;  // kernel file, manual or standard that the facts come from
};

}  // namespace rocert
