#include <gtest/gtest.h>

#include "support/checking.h"
#include "support/fabric_builder.h"

namespace rocert::checks {
extern const Check write_bandwidth_meets_limits;
namespace {

using samples::findings_of;

// Every pair at 391 Gb/s, but those with the host `slow`.
Fabric fabric(unsigned hosts, unsigned slow, double rate) {
  return samples::fabric_of(hosts, "write_bw", [&](unsigned from, unsigned to) {
    return Figures{{"bits_per_second", from == slow || to == slow ? rate : 391e9}};
  });
}

TEST(WriteBandwidthMeetsLimits, OneSummaryARailWhereAllIsWell) {
  const auto findings = findings_of(write_bandwidth_meets_limits, fabric(4, 0, 0));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kPass);
  EXPECT_EQ(findings[0].subject.item, "rail 0");
  EXPECT_EQ(findings[0].seen, "12 pairs, median of the ends 391G");
}

TEST(WriteBandwidthMeetsLimits, TheMedianStaysWithTheGoodEnds) {
  const auto findings = findings_of(write_bandwidth_meets_limits, fabric(4, 2, 212e9));
  ASSERT_EQ(findings.size(), 6u) << "the pairs of n2 and no other";
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.verdict, Verdict::kFail);
    EXPECT_TRUE(finding.subject.host == "n2" || finding.subject.item == "n2/ens1np0");
    EXPECT_EQ(finding.seen, "212G");
    EXPECT_EQ(finding.wanted, "at least 312.8G (0.8 of the rail's median 391G)");
    EXPECT_EQ(finding.says, "A collective runs at the rate of its slowest pair.");
  }
  EXPECT_EQ(findings[0].subject, (Subject{"n1", "ens1np0", "n2/ens1np0"}));
  EXPECT_EQ(findings[0].evidence, std::vector<std::string>{"write_bw, rail 0, round 0, RDMA MTU 4096"});
}

TEST(WriteBandwidthMeetsLimits, TheHighestFloorIsSaid) {
  Profile profile;
  profile.limits["write_bw.of_line"] = quantity(Unit::kRatio, 0.9);
  profile.limits["write_bw.at_least"] = quantity(Unit::kBandwidth, 300e9);
  Fabric slow = fabric(2, 0, 0);
  slow.profile = &profile;
  EXPECT_EQ(findings_of(write_bandwidth_meets_limits, slow)[0].verdict, Verdict::kPass);
  for (Measurement& m : slow.measurements) m.figures = Figures{{"bits_per_second", 350e9}};
  EXPECT_EQ(findings_of(write_bandwidth_meets_limits, slow)[0].wanted, "at least 360G (0.9 of the line's 400G)");
  for (Measurement& m : slow.measurements) m.from.speed = 200000;
  EXPECT_EQ(findings_of(write_bandwidth_meets_limits, slow)[0].verdict, Verdict::kPass) << "of the slower end";
}

TEST(WriteBandwidthMeetsLimits, ALineRateThatWasNotToldIsUnknown) {
  Profile profile;
  profile.limits["write_bw.of_line"] = quantity(Unit::kRatio, 0.9);
  Fabric blind = fabric(2, 0, 0);
  blind.profile = &profile;
  for (Measurement& m : blind.measurements) m.to.speed = 0;
  EXPECT_EQ(findings_of(write_bandwidth_meets_limits, blind)[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(findings_of(write_bandwidth_meets_limits, blind)[0].says, "absent: the line rate of an end was not told");
}

TEST(WriteBandwidthMeetsLimits, GapsAreNotZeroAndNothingIsNotAPass) {
  Fabric partly = fabric(3, 0, 0);
  partly.measurements[0].figures = gap(GapReason::kTimedOut, "worker of n2");
  const auto findings = findings_of(write_bandwidth_meets_limits, partly);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].seen, "5 pairs, median of the ends 391G");
  EXPECT_EQ(findings_of(write_bandwidth_meets_limits, Fabric{})[0].verdict, Verdict::kUnknown);
  partly.measurements[1].figures = Figures{{"bytes", 1}};
  EXPECT_EQ(findings_of(write_bandwidth_meets_limits, partly)[0].says,
            "absent: the measurement has no figure bits_per_second");
}

}  // namespace
}  // namespace rocert::checks
