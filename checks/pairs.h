// What checks over measured pairs share: naming the two ends, the best figure of every end of a rail, and medians.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/check.h"

namespace rocert::checks {

inline std::string name_of(const End& end) { return end.host + "/" + end.netdev; }

// The judgement as one about a pair: who sent is the subject, who received the item.
inline Judgement about(const Measurement& measurement, Judgement judgement) {
  judgement.port = name_of(measurement.from);
  judgement.item = name_of(measurement.to);
  return judgement;
}

inline std::optional<double> figure(const Measurement& measurement, const std::string& name) {
  if (!measurement.figures) return std::nullopt;
  const auto found = measurement.figures->find(name);
  return found == measurement.figures->end() ? std::nullopt : std::optional(found->second);
}

// Measurements of one probe that came to a result, by rail.
inline std::map<std::string, std::vector<const Measurement*>> by_rail(const Fabric& fabric, std::string_view probe) {
  std::map<std::string, std::vector<const Measurement*>> rails;
  for (const Measurement& measurement : fabric.measurements) {
    if (measurement.probe == probe && measurement.figures) rails[measurement.rail].push_back(&measurement);
  }
  return rails;
}

// Lower median: with an even count the lesser of the middle two. 0 without values.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Median over the ends of a rail of what each did in its best pair: one bad end spoils its own best alone, not that of
// its partners. `better(a, b)`: a is the better figure.
template <class Better>
double median_of_bests(const std::vector<const Measurement*>& measurements, const std::string& name, Better better) {
  std::map<std::string, double> bests;
  for (const Measurement* measurement : measurements) {
    const auto value = figure(*measurement, name);
    if (!value) continue;
    for (const End* end : {&measurement->from, &measurement->to}) {
      const auto [best, added] = bests.try_emplace(name_of(*end), *value);
      if (!added && better(*value, best->second)) best->second = *value;
    }
  }
  std::vector<double> values;
  for (const auto& [end, best] : bests) values.push_back(best);
  return median(std::move(values));
}

// One summary a rail, where no pair of it was judged otherwise.
inline Judgement rail_summary(const std::string& rail, std::string seen) {
  Judgement judgement = pass(std::move(seen));
  judgement.item = "rail " + rail;
  return judgement;
}

}  // namespace rocert::checks
