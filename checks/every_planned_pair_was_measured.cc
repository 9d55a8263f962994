#include "base/text.h"
#include "checks/pairs.h"

namespace rocert::checks {
namespace {

// Completions with an error are the fabric's word: the pair was tried and does not work. Without one nobody knows.
Judgement judge_missing(const Measurement& m) {
  const std::string probe = fmt::format("{}, rail {}, round {}", m.probe, m.rail, m.round);
  if (m.errors.empty()) {
    Judgement judgement = unknown(m.figures.error(), "a measurement");
    judgement.evidence = {probe};
    return judgement;
  }
  Judgement judgement = failure(m.errors.front(), "a measurement", "The two ends cannot talk to each other by RDMA.");
  judgement.evidence = {probe, to_text(m.figures.error())};
  judgement.evidence.insert(judgement.evidence.end(), m.errors.begin() + 1, m.errors.end());
  return judgement;
}

std::vector<Judgement> judge(const Fabric& fabric, const Wants&) {
  std::vector<Judgement> judgements;
  for (const FabricHost& host : fabric.hosts) {
    if (host.snapshot) continue;
    judgements.push_back(unknown(host.snapshot.error(), "a snapshot of the host"));
    judgements.back().port = host.name;
  }
  size_t measured = 0;
  for (const Measurement& m : fabric.measurements) {
    if (m.figures) {
      ++measured;
    } else {
      judgements.push_back(about(m, judge_missing(m)));
    }
  }
  if (fabric.measurements.empty()) judgements.push_back(unknown({GapReason::kNotAsked, "no pair was planned"}));
  if (judgements.empty()) judgements.push_back(pass(fmt::format("{} measurements", measured)));
  return judgements;
}

}  // namespace

extern constinit const Check every_planned_pair_was_measured{
    .page = {.code = "every-planned-pair-was-measured",
             .title = "Every planned pair came to a result",
             .why =
                 "A pair without a result is not a good pair. Where completions failed, the two ends cannot reach each "
                 "other; where a worker died or hung, nothing is known, and the certificate must not cover it.",
             .remedy = "Completion errors: GID, route and neighbour of both ends (rocert audit on both), then the path "
                       "between.\n"
                       "No word from a host: ssh HOST rocert audit; its log of the worker",
             .source = "the plan of the certification; ibv_poll_cq(3) for completion statuses"},
    .severity = Severity::kError,
    .rule = FabricRule(judge),
};

}  // namespace rocert::checks
