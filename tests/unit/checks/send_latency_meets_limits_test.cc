#include <gtest/gtest.h>

#include "support/checking.h"
#include "support/fabric_builder.h"

namespace rocert::checks {
extern const Check send_latency_meets_limits;
namespace {

using samples::findings_of;

Fabric fabric(const Profile& profile, unsigned slow) {
  Fabric result = samples::fabric_of(3, "send_lat", [&](unsigned from, unsigned to) {
    const double factor = from == slow || to == slow ? 5 : 1;
    return Figures{{"p50_ns", 2000 * factor}, {"p99_ns", 3000 * factor}};
  });
  result.profile = &profile;
  return result;
}

TEST(SendLatencyMeetsLimits, DoesNotApplyWithoutALimit) {
  const auto findings = findings_of(send_latency_meets_limits, fabric({}, 2));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kNotApplicable);
}

TEST(SendLatencyMeetsLimits, JudgesTheNinetyNinthPercentile) {
  Profile profile;
  profile.limits["send_lat.p99"] = quantity(Unit::kDuration, 8000);
  const auto good = findings_of(send_latency_meets_limits, fabric(profile, 0));
  ASSERT_EQ(good.size(), 1u);
  EXPECT_EQ(good[0].seen, "6 pairs, median of the ends 2us");
  const auto bad = findings_of(send_latency_meets_limits, fabric(profile, 2));
  ASSERT_EQ(bad.size(), 4u);
  EXPECT_EQ(bad[0].verdict, Verdict::kFail);
  EXPECT_EQ(bad[0].subject, (Subject{"n1", "ens1np0", "n2/ens1np0"}));
  EXPECT_EQ(bad[0].seen, "15us");
  EXPECT_EQ(bad[0].wanted, "99th percentile of at most 8us");
  EXPECT_EQ(bad[0].says, "Small messages of every collective wait for this pair.");
}

TEST(SendLatencyMeetsLimits, JudgesAgainstTheRailsMedian) {
  Profile profile;
  profile.limits["send_lat.of_median"] = quantity(Unit::kRatio, 2.5);
  const auto findings = findings_of(send_latency_meets_limits, fabric(profile, 3));
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[0].seen, "10us");
  EXPECT_EQ(findings[0].wanted, "median of at most 5us (2.5 times the rail's 2us)");
}

TEST(SendLatencyMeetsLimits, AMissingFigureIsUnknown) {
  Profile profile;
  profile.limits["send_lat.p99"] = quantity(Unit::kDuration, 8000);
  Fabric partly = fabric(profile, 0);
  partly.measurements[0].figures = Figures{{"p50_ns", 1}};
  EXPECT_EQ(findings_of(send_latency_meets_limits, partly)[0].verdict, Verdict::kUnknown);
  Fabric none;
  none.profile = &profile;
  EXPECT_EQ(findings_of(send_latency_meets_limits, none)[0].says, "not asked: no pair has a latency");
}

}  // namespace
}  // namespace rocert::checks
