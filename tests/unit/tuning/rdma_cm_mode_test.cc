#include <gtest/gtest.h>

#include "support/drifting.h"

namespace rocert::tuning {
extern const Setting rdma_cm_mode;
namespace {

using samples::first_drift;

Snapshot reading(Observed<std::string> text) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].facts["rdma_cm.mode"] = std::move(text);
  return snapshot;
}

TEST(RdmaCmMode, WantsVersion2) {
  const Profile profile = samples::lossless_profile();
  EXPECT_EQ(first_drift(rdma_cm_mode, reading("RoCE v2"), &profile).verdict, Verdict::kPass);
  const Finding finding = first_drift(rdma_cm_mode, reading("IB/RoCE v1"), &profile);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.seen, "IB/RoCE v1");
  EXPECT_EQ(finding.wanted, "RoCE v2");
  EXPECT_EQ(finding.says, "Connections made through rdma_cm use another RoCE version than their peers expect.");
}

TEST(RdmaCmMode, GapsAndNonsenseAreUnknown) {
  const Profile profile = samples::lossless_profile();
  EXPECT_EQ(first_drift(rdma_cm_mode, reading(gap(GapReason::kAbsent, "configfs")), &profile).verdict,
            Verdict::kUnknown);
  EXPECT_EQ(first_drift(rdma_cm_mode, reading("v3"), &profile).says,
            "malformed: rdma_cm.mode: seen \"v3\", wanted \"RoCE v2\" or \"IB/RoCE v1\"");
}

TEST(RdmaCmMode, IsAFactWithoutAProfile) {
  const Finding finding = first_drift(rdma_cm_mode, reading("IB/RoCE v1"), nullptr);
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.seen, "IB/RoCE v1");
}

}  // namespace
}  // namespace rocert::tuning
