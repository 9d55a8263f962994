#include <array>
#include <chrono>
#include <cmath>

#include "base/units.h"
#include "checks/pairs.h"

namespace rocert::checks {
namespace {

constexpr int64_t kMinute = 60'000'000'000;
constexpr std::array kLimits{Limit{"send_lat.p99", NumberShape{.min = 1, .max = kMinute, .unit = Unit::kDuration}, "",
                                   "longest 99th percentile of any pair"},
                             Limit{"send_lat.of_median", NumberShape{.min = 1, .max = 1000, .unit = Unit::kRatio}, "",
                                   "longest median latency of a pair, as a multiple of the rail's"}};

std::string time(double nanoseconds) { return to_text(std::chrono::nanoseconds(std::llround(nanoseconds))); }

// Nothing when the pair meets the limit, or none is stated.
std::optional<Judgement> judge_figure(const Measurement& m, const std::string& name, std::optional<double> ceiling,
                                      const std::string& wanted) {
  if (!ceiling) return std::nullopt;
  const auto seen = figure(m, name);
  if (!seen) return unknown({GapReason::kAbsent, "the measurement has no figure " + name}, wanted);
  if (*seen <= *ceiling) return std::nullopt;
  Judgement judgement = failure(time(*seen), wanted, "Small messages of every collective wait for this pair.");
  judgement.evidence = {fmt::format("send_lat, rail {}, round {}, {}", m.rail, m.round, name)};
  return judgement;
}

std::optional<Judgement> judge_pair(const Measurement& m, const Wants& wants, double middle) {
  const auto p99 = wants.limit("send_lat.p99");
  const std::string p99_text = p99 ? fmt::format("99th percentile of at most {}", time(*p99)) : std::string();
  if (auto judgement = judge_figure(m, "p99_ns", p99, p99_text)) return judgement;
  const auto multiple = wants.limit("send_lat.of_median");
  if (!multiple) return std::nullopt;
  return judge_figure(
      m, "p50_ns", *multiple * middle,
      fmt::format("median of at most {} ({} times the rail's {})", time(*multiple * middle), *multiple, time(middle)));
}

std::vector<Judgement> judge(const Fabric& fabric, const Wants& wants) {
  const auto rails = by_rail(fabric, "send_lat");
  if (!wants.limit("send_lat.p99") && !wants.limit("send_lat.of_median"))
    return {not_applicable("the profile states no limit of latency")};
  std::vector<Judgement> judgements;
  for (const auto& [rail, measurements] : rails) {
    const double middle = median_of_bests(measurements, "p50_ns", std::less<>{});
    const size_t before = judgements.size();
    for (const Measurement* m : measurements) {
      if (auto judgement = judge_pair(*m, wants, middle)) judgements.push_back(about(*m, *std::move(judgement)));
    }
    if (judgements.size() == before)
      judgements.push_back(
          rail_summary(rail, fmt::format("{} pairs, median of the ends {}", measurements.size(), time(middle))));
  }
  if (judgements.empty()) judgements.push_back(unknown({GapReason::kNotAsked, "no pair has a latency"}));
  return judgements;
}

}  // namespace

extern constinit const Check send_latency_meets_limits{
    .page = {.code = "send-latency-meets-limits",
             .title = "Every pair answers as fast as the limits ask",
             .why = "Small collectives are bound by latency. One pair that waits for a retransmission, a detour in the "
                    "fabric or a CPU in deep sleep holds up all ranks.",
             .remedy =
                 "ib_send_lat -d RDMA_DEVICE PEER                   (is it the pair, or the load of the moment?)\n"
                 "rdma statistic show link RDMA_DEVICE/1           (retransmissions, out of sequence)",
             .source = "RDMA SEND between real endpoints; limits send_lat.* of the profile"},
    .severity = Severity::kError,
    .limits = kLimits,
    .rule = FabricRule(judge),
};

}  // namespace rocert::checks
