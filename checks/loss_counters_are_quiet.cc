#include <fmt/format.h>

#include "audit/check.h"
#include "base/text.h"

namespace rocert::checks {
namespace {

struct Losses {
  std::vector<std::string> counts;    // "rx_discards_phy 1822"
  std::vector<std::string> evidence;  // where each was read and what it means
  std::optional<Gap> gap;             // the first list that is missing
  bool any_list = false;
};

void add(Losses& losses, const View& view, std::string_view module, std::string_view where,
         const Observed<Counters>& counters) {
  if (!counters) {
    if (!losses.gap) losses.gap = counters.error();
    return;
  }
  losses.any_list = true;
  for (const auto& [name, value] : *counters) {
    if (value == 0) continue;
    const CounterFact* fact = view.drivers.find_counter(module, name);
    if (fact == nullptr || fact->meaning != CounterMeaning::kLoss) continue;
    losses.counts.push_back(fmt::format("{} {}", name, value));
    losses.evidence.push_back(fmt::format("{} of {}: {}", name, where, fact->says));
  }
}

std::vector<Judgement> judge(const View& view, const Port& port) {
  Losses losses;
  add(losses, view, port.rdma.driver, port.rdma.device, port.rdma_statistics);
  for (const Member& member : port.members) add(losses, view, kernel_module(member), member.netdev, member.statistics);
  if (losses.counts.empty()) {
    if (!losses.any_list) return {unknown(losses.gap.value_or(Gap{GapReason::kAbsent, "no counters were found"}))};
    Judgement quiet = pass();
    if (losses.gap) quiet.evidence = {"not looked at: " + to_text(*losses.gap)};
    return {quiet};
  }
  Judgement judgement =
      failure(join(losses.counts, ", "), {},
              "Totals since the driver was loaded, so history as much as news: what counts is whether "
              "they grow under load.");
  judgement.evidence = std::move(losses.evidence);
  return {judgement};
}

}  // namespace

extern constinit const Check loss_counters_are_quiet{
    .page =
        {.code = "loss-counters-are-quiet",
         .title = "No counter of lost or retransmitted packets stands above zero",
         .why = "A lossless port that drops or retransmits has a fault on its path, but a total tells neither when nor "
                "under what load: it is mentioned, never failed. Probes judge the growth around their own traffic.",
         .remedy = "ethtool -S NETDEV; rdma statistic show link RDMA_DEVICE/1      (twice, with load between)",
         .source = "ethtool(8) -S; rdma-statistic(8); the driver's own page says what each counter means"},
    .severity = Severity::kInfo,
    .rule = PortRule(judge),
};

}  // namespace rocert::checks
