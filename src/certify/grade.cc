#include "certify/grade.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "model/wants.h"

namespace rocert {
namespace {

constexpr double kUnstatedOfMedian = 0.8;

using Line = std::pair<std::string, std::string>;     // rail, probe
using EndName = std::pair<std::string, std::string>;  // host, netdev

Line line_of(const Measurement& m) { return {m.rail, m.probe}; }

bool is_latency(const Measurement& m) { return m.probe == "send_lat"; }

std::optional<double> figure(const Measurement& m, std::string_view name) {
  if (!m.figures) return std::nullopt;
  const auto found = m.figures->find(std::string(name));
  return found == m.figures->end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> main_figure(const Measurement& m) {
  return figure(m, is_latency(m) ? "p50_ns" : "bits_per_second");
}

// Over the ends of a rail, each with its best pair: one bad end spoils its own best alone. Of an even number the lower.
std::map<Line, double> medians_of(const std::vector<Measurement>& measurements) {
  std::map<Line, std::map<EndName, double>> bests;
  for (const Measurement& m : measurements) {
    const auto value = main_figure(m);
    if (!value) continue;
    for (const End* end : {&m.from, &m.to}) {
      const auto [best, added] = bests[line_of(m)].try_emplace({end->host, end->netdev}, *value);
      if (!added) best->second = is_latency(m) ? std::min(best->second, *value) : std::max(best->second, *value);
    }
  }
  std::map<Line, double> medians;
  for (const auto& [line, ends] : bests) {
    std::vector<double> values;
    for (const auto& [end, best] : ends) values.push_back(best);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    medians[line] = *middle;
  }
  return medians;
}

// The least of the shares that can be told; 1 when none is.
class Least {
 public:
  void take(double seen, double wanted) {
    if (wanted > 0) least_ = std::min(least_.value_or(seen / wanted), seen / wanted);
  }
  double value() const { return least_.value_or(1.0); }

 private:
  std::optional<double> least_;
};

double bandwidth_grade(const Measurement& m, double seen, double median, const Wants& wants) {
  const auto at_least = wants.limit("write_bw.at_least");
  const auto of_line = wants.limit("write_bw.of_line");
  const double of_median = wants.limit("write_bw.of_median").value_or(kUnstatedOfMedian);
  const double line = 1e6 * static_cast<double>(std::min(m.from.speed, m.to.speed));
  Least least;
  if (at_least) least.take(seen, *at_least);
  if (of_line) least.take(seen, *of_line * line);
  least.take(seen, of_median * median);
  return least.value();
}

double latency_grade(const Measurement& m, double p50, double median, const Wants& wants) {
  Least least;
  const auto p99 = figure(m, "p99_ns");
  if (const auto limit = wants.limit("send_lat.p99"); limit && p99) least.take(*limit, *p99);
  if (const auto limit = wants.limit("send_lat.of_median")) least.take(*limit * median, p50);
  return least.value();
}

bool was_tried(const Measurement& m, const std::vector<const FabricHost*>& lost) {
  const GapReason reason = m.figures.error().reason;
  return reason != GapReason::kNotAsked && reason != GapReason::kNotSupported &&
         std::none_of(lost.begin(), lost.end(),
                      [&](const FabricHost* host) { return host->name == m.from.host || host->name == m.to.host; });
}

}  // namespace

std::vector<std::optional<double>> grades_of(const Fabric& fabric) {
  std::vector<const FabricHost*> lost;
  for (const FabricHost& host : fabric.hosts) {
    if (host.lost) lost.push_back(&host);
  }
  const Wants wants = wants_of(fabric.profile);
  const auto medians = medians_of(fabric.measurements);
  std::vector<std::optional<double>> grades;
  for (const Measurement& m : fabric.measurements) {
    const auto seen = main_figure(m);
    if (!m.figures && !was_tried(m, lost)) {
      grades.emplace_back();
    } else if (!seen || !m.data_intact) {
      grades.emplace_back(0.0);
    } else if (is_latency(m)) {
      grades.emplace_back(latency_grade(m, *seen, medians.at(line_of(m)), wants));
    } else {
      grades.emplace_back(bandwidth_grade(m, *seen, medians.at(line_of(m)), wants));
    }
  }
  return grades;
}

}  // namespace rocert
