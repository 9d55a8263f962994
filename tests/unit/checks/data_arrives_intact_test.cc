#include <gtest/gtest.h>

#include "support/checking.h"
#include "support/fabric_builder.h"

namespace rocert::checks {
extern const Check data_arrives_intact;
namespace {

using samples::findings_of;

Fabric fabric() {
  return samples::fabric_of(2, "write_bw", [](unsigned, unsigned) { return Figures{{"bits_per_second", 1e9}}; });
}

TEST(DataArrivesIntact, Passes) {
  const auto findings = findings_of(data_arrives_intact, fabric());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kPass);
  EXPECT_EQ(findings[0].seen, "2 measurements");
}

TEST(DataArrivesIntact, NamesThePairThatDamages) {
  Fabric damaged = fabric();
  damaged.measurements[1].data_intact = false;
  const auto findings = findings_of(data_arrives_intact, damaged);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kFail);
  EXPECT_EQ(findings[0].subject, (Subject{"n2", "ens1np0", "n1/ens1np0"}));
  EXPECT_EQ(findings[0].seen, "damaged data");
  EXPECT_EQ(findings[0].says,
            "What arrived is not what was sent, and no completion said so: jobs compute wrong results here.");
}

TEST(DataArrivesIntact, WithoutAResultNothingIsKnown) {
  Fabric gaps = fabric();
  for (Measurement& m : gaps.measurements) {
    m.figures = gap(GapReason::kTimedOut, "worker");
    m.data_intact = false;
  }
  EXPECT_EQ(findings_of(data_arrives_intact, gaps)[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(findings_of(data_arrives_intact, Fabric{})[0].says, "not asked: no pair was measured");
}

}  // namespace
}  // namespace rocert::checks
