// Drivers by module, what their counters mean, and members to ask them about.
#pragma once
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "registry/drivers.h"

namespace rocert {

inline const Driver& driver(std::string_view module) {
  for (const Driver* one : registry::drivers()) {
    if (one->facts.module == module) return *one;
  }
  ADD_FAILURE() << "no driver " << module;
  return *registry::drivers().front();
}

inline std::vector<const DriverFacts*> all_facts() {
  std::vector<const DriverFacts*> all;
  for (const Driver* one : registry::drivers()) all.push_back(&one->facts);
  return all;
}

inline std::optional<CounterMeaning> meaning_of(std::string_view module, std::string_view counter) {
  const auto all = all_facts();
  const CounterFact* fact = DriverTable(all).find_counter(module, counter);
  return fact == nullptr ? std::nullopt : std::optional(fact->meaning);
}

inline Member member_with(std::vector<App> apps, Observed<std::string> file) {
  Member member{.netdev = "eth2"};
  member.dcb = Dcb{.apps = std::move(apps)};
  member.facts["mlx5.trust"] = std::move(file);
  return member;
}

inline const auto kNoFile = gap(GapReason::kAbsent, "qos/trust");
inline constexpr App kDscp26{.selector = kAppDscp, .priority = 3, .protocol = 26};

}  // namespace rocert
