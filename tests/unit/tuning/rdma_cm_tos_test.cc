#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting rdma_cm_tos;
namespace {

using samples::first_drift;

Snapshot reading(Observed<std::string> text) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].facts["rdma_cm.tos"] = std::move(text);
  return snapshot;
}

TEST(RdmaCmTos, ComparesTheDscpAlone) {
  const Profile profile = samples::lossless_profile();
  for (const char* tos : {"104", "105", "106"}) {
    EXPECT_EQ(first_drift(rdma_cm_tos, reading(tos), &profile).verdict, Verdict::kPass) << tos;
  }
  EXPECT_EQ(first_drift(rdma_cm_tos, reading("106"), &profile).seen, "106 (DSCP 26)");
}

TEST(RdmaCmTos, AnotherDscpIsAWarning) {
  const Profile profile = samples::lossless_profile();
  const Finding finding = first_drift(rdma_cm_tos, reading("0"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kWarn);
  EXPECT_EQ(finding.seen, "0 (DSCP 0)");
  EXPECT_EQ(finding.wanted, "104 (DSCP 26)");
  EXPECT_EQ(
      finding.says,
      "Connections made through rdma_cm leave with DSCP 0, outside the port's data class, unless the program sets "
      "its own.");
}

TEST(RdmaCmTos, ReadingNeverMakesTheFolder) {
  const Profile profile = samples::lossless_profile();
  const Finding finding =
      first_drift(rdma_cm_tos, reading(gap(GapReason::kAbsent, "/sys/kernel/config/rdma_cm")), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kUnknown);
  EXPECT_EQ(finding.says, "absent: /sys/kernel/config/rdma_cm");
  ASSERT_EQ(rdma_cm_tos.reads.size(), 1u);
  EXPECT_EQ(rdma_cm_tos.reads[0].path, "/sys/kernel/config/rdma_cm/{rdma}/ports/{rdma_port}/default_roce_tos");
}

TEST(RdmaCmTos, NonsenseIsMalformed) {
  const Profile profile = samples::lossless_profile();
  EXPECT_EQ(first_drift(rdma_cm_tos, reading("256"), &profile).says,
            "malformed: rdma_cm.tos: seen \"256\", wanted a number from 0 to 255");
  EXPECT_EQ(first_drift(rdma_cm_tos, reading("-1"), &profile).verdict, Verdict::kUnknown);
}

TEST(RdmaCmTos, AClassWithoutDscpAsksForNothing) {
  Profile profile = samples::lossless_profile();
  profile.classes[0].dscp.reset();
  EXPECT_EQ(first_drift(rdma_cm_tos, reading("0"), &profile).verdict, Verdict::kNotApplicable);
}

}  // namespace
}  // namespace rocert::tuning
