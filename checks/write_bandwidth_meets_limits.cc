#include <array>

#include "base/units.h"
#include "checks/pairs.h"

namespace rocert::checks {
namespace {

constexpr std::string_view kFigure = "bits_per_second";
constexpr std::array kLimits{
    Limit{"write_bw.of_line", NumberShape{.min = 0, .max = 1, .unit = Unit::kRatio}, "",
          "least share of the slower end's line rate"},
    Limit{"write_bw.of_median", NumberShape{.min = 0, .max = 1, .unit = Unit::kRatio}, "0.8",
          "least share of the median over the rail's ends, each with its best pair"},
    Limit{"write_bw.at_least", NumberShape{.min = 0, .max = 100'000'000'000'000, .unit = Unit::kBandwidth}, "",
          "least bandwidth of any pair"}};

std::string rate(double bits_per_second) { return to_text(Bandwidth{bits_per_second}); }

double line_rate(const Measurement& m) { return static_cast<double>(std::min(m.from.speed, m.to.speed)) * 1e6; }

// The highest floor that applies to a pair, in words.
struct Floor {
  double bits_per_second = 0;
  std::string text;
};

Floor floor_of(const Measurement& m, const Wants& wants, double median) {
  Floor floor;
  const auto raise = [&](double value, std::string text) {
    if (value > floor.bits_per_second) floor = {value, std::move(text)};
  };
  if (const auto least = wants.limit("write_bw.at_least")) raise(*least, fmt::format("at least {}", rate(*least)));
  if (const auto share = wants.limit("write_bw.of_line"))
    raise(*share * line_rate(m),
          fmt::format("at least {} ({} of the line's {})", rate(*share * line_rate(m)), *share, rate(line_rate(m))));
  if (const auto share = wants.limit("write_bw.of_median"))
    raise(*share * median,
          fmt::format("at least {} ({} of the rail's median {})", rate(*share * median), *share, rate(median)));
  return floor;
}

std::optional<Judgement> judge_pair(const Measurement& m, const Wants& wants, double median) {
  const auto seen = figure(m, std::string(kFigure));
  if (!seen) return unknown({GapReason::kAbsent, "the measurement has no figure bits_per_second"});
  const Floor floor = floor_of(m, wants, median);
  if (!(*seen >= floor.bits_per_second)) {
    Judgement judgement = failure(rate(*seen), floor.text, "A collective runs at the rate of its slowest pair.");
    judgement.evidence = {fmt::format("write_bw, rail {}, round {}, RDMA MTU {}", m.rail, m.round, m.mtu)};
    return judgement;
  }
  if (wants.limit("write_bw.of_line") && line_rate(m) == 0)
    return unknown({GapReason::kAbsent, "the line rate of an end was not told"}, "a share of the line rate");
  return std::nullopt;
}

std::vector<Judgement> judge(const Fabric& fabric, const Wants& wants) {
  std::vector<Judgement> judgements;
  for (const auto& [rail, measurements] : by_rail(fabric, "write_bw")) {
    const double middle = median_of_bests(measurements, std::string(kFigure), std::greater<>{});
    const size_t before = judgements.size();
    for (const Measurement* m : measurements) {
      if (auto judgement = judge_pair(*m, wants, middle)) judgements.push_back(about(*m, *std::move(judgement)));
    }
    if (judgements.size() == before)
      judgements.push_back(
          rail_summary(rail, fmt::format("{} pairs, median of the ends {}", measurements.size(), rate(middle))));
  }
  if (judgements.empty()) judgements.push_back(unknown({GapReason::kNotAsked, "no pair has a bandwidth"}));
  return judgements;
}

}  // namespace

extern constinit const Check write_bandwidth_meets_limits{
    .page =
        {.code = "write-bandwidth-meets-limits",
         .title = "Every pair writes as fast as the limits ask",
         .why =
             "A collective runs at the rate of its slowest pair. A cable with errors, a link that trained at half its "
             "speed or a switch port that drops shows here, and often nowhere else.",
         .remedy = "rocert certify names the end that the slow pairs have in common; look there first:\n"
                   "ethtool NETDEV; ethtool -S NETDEV | grep -iE 'err|discard|drop'   (speed, FEC, losses)\n"
                   "ib_write_bw -d RDMA_DEVICE --report_gbits PEER",
         .source = "RDMA WRITE between real endpoints; limits write_bw.* of the profile"},
    .severity = Severity::kError,
    .limits = kLimits,
    .rule = FabricRule(judge),
};

}  // namespace rocert::checks
