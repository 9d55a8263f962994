#include "checks/pairs.h"

namespace rocert::checks {
namespace {

std::vector<Judgement> judge(const Fabric& fabric, const Wants&) {
  std::vector<Judgement> judgements;
  size_t measured = 0;
  for (const Measurement& m : fabric.measurements) {
    if (!m.figures) continue;
    ++measured;
    if (m.data_intact) continue;
    Judgement judgement = failure("damaged data", "the pattern that was sent",
                                  "What arrived is not what was sent, and no completion said so: jobs compute wrong "
                                  "results here.");
    judgement.evidence = {fmt::format("{}, rail {}, round {}", m.probe, m.rail, m.round)};
    judgements.push_back(about(m, std::move(judgement)));
  }
  if (measured == 0) return {unknown({GapReason::kNotAsked, "no pair was measured"})};
  if (judgements.empty()) judgements.push_back(pass(fmt::format("{} measurements", measured)));
  return judgements;
}

}  // namespace

extern constinit const Check data_arrives_intact{
    .page =
        {.code = "data-arrives-intact",
         .title = "What a probe sends arrives unchanged",
         .why =
             "A broken memory path behind the NIC (wrong relaxed ordering, a bad IOMMU setting, faulty memory) hands "
             "over wrong bytes with a good completion. Nothing else shows it before a model diverges.",
         .remedy = "Take the host out of service. Relaxed ordering forced in firmware: mlxconfig -d BDF query "
                   "PCI_WR_ORDERING\n"
                   "Then memory, PCIe errors (lspci -vv, AER in dmesg), and the NIC itself.",
         .source = "the pattern that each probe writes and checks at its end"},
    .severity = Severity::kError,
    .rule = FabricRule(judge),
};

}  // namespace rocert::checks
