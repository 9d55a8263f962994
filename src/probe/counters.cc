#include "probe/counters.h"

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace rocert {
namespace {

constexpr uint64_t kNarrowLimit = std::numeric_limits<uint32_t>::max();

void add(CounterReading& reading, std::string_view prefix, Observed<Counters> counters) {
  if (!counters) {
    reading.gaps.push_back(std::move(counters).error());
    return;
  }
  for (const auto& [name, value] : *counters) reading.values.emplace(std::string(prefix) + name, value);
}

int64_t difference(uint64_t before, uint64_t after, bool narrow) {
  const bool wrapped = narrow && after < before && before <= kNarrowLimit;
  return static_cast<int64_t>(after - before + (wrapped ? kNarrowLimit + 1 : 0));
}

}  // namespace

CounterReading read_counters(Host& host, const End& end) {
  CounterReading reading;
  add(reading, "ethtool.", host.get(StatisticsOf{end.netdev}));
  add(reading, "rdma.", host.get(RdmaStatisticsOf{end.rdma_device, end.rdma_port}));
  return reading;
}

CounterDeltas delta(const CounterReading& before, const CounterReading& after,
                    std::span<const std::string_view> narrow) {
  CounterDeltas deltas;
  for (const CounterReading* reading : {&before, &after}) {
    for (const Gap& gap : reading->gaps) {
      std::string text = to_text(gap);
      if (std::ranges::find(deltas.missing, text) == deltas.missing.end()) deltas.missing.push_back(std::move(text));
    }
  }
  for (const auto& [name, value] : after.values) {
    const auto earlier = before.values.find(name);
    if (earlier == before.values.end() || earlier->second == value) continue;
    const bool is_narrow =
        std::ranges::any_of(narrow, [&counter = name](std::string_view glob) { return matches_glob(glob, counter); });
    deltas.moved.emplace(name, difference(earlier->second, value, is_narrow));
  }
  return deltas;
}

}  // namespace rocert
