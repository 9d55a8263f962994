#include <gtest/gtest.h>

#include "support/checking.h"
#include "support/fabric_builder.h"

namespace rocert::checks {
extern const Check every_planned_pair_was_measured;
namespace {

using samples::findings_of;

Fabric fabric() {
  return samples::fabric_of(3, "write_bw", [](unsigned, unsigned) { return Figures{{"bits_per_second", 1e9}}; });
}

TEST(EveryPlannedPairWasMeasured, Passes) {
  const auto findings = findings_of(every_planned_pair_was_measured, fabric());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kPass);
  EXPECT_EQ(findings[0].seen, "6 measurements");
}

TEST(EveryPlannedPairWasMeasured, ADeadWorkerIsUnknownNotFailed) {
  Fabric partly = fabric();
  partly.measurements[0].figures = gap(GapReason::kTimedOut, "n2 said nothing for 20s");
  const auto findings = findings_of(every_planned_pair_was_measured, partly);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(findings[0].subject, (Subject{"n1", "ens1np0", "n2/ens1np0"}));
  EXPECT_EQ(findings[0].says, "timed out: n2 said nothing for 20s");
  EXPECT_EQ(findings[0].evidence, std::vector<std::string>{"write_bw, rail 0, round 0"});
}

TEST(EveryPlannedPairWasMeasured, ACompletionWithAnErrorIsTheFabricsWord) {
  Fabric partly = fabric();
  partly.measurements[0].figures = gap(GapReason::kUnreadable, "no bandwidth");
  partly.measurements[0].errors = {"n1: transport retry counter exceeded (12)", "n2: flushed"};
  const auto findings = findings_of(every_planned_pair_was_measured, partly);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kFail);
  EXPECT_EQ(findings[0].seen, "n1: transport retry counter exceeded (12)");
  EXPECT_EQ(findings[0].says, "The two ends cannot talk to each other by RDMA.");
  EXPECT_EQ(findings[0].evidence,
            (std::vector<std::string>{"write_bw, rail 0, round 0", "unreadable: no bandwidth", "n2: flushed"}));
}

TEST(EveryPlannedPairWasMeasured, AHostWithoutASnapshotIsUnknown) {
  Fabric partly = fabric();
  partly.hosts[1].snapshot = gap(GapReason::kAbsent, "ssh: connection refused");
  const auto findings = findings_of(every_planned_pair_was_measured, partly);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(findings[0].subject, (Subject{"n2", "", ""}));
  EXPECT_EQ(findings[0].says, "absent: ssh: connection refused");
}

TEST(EveryPlannedPairWasMeasured, NothingPlannedIsNotAPass) {
  EXPECT_EQ(findings_of(every_planned_pair_was_measured, Fabric{})[0].says, "not asked: no pair was planned");
}

}  // namespace
}  // namespace rocert::checks
