#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check loss_counters_are_quiet;
namespace {

Finding judged(const Snapshot& snapshot) { return samples::findings_of(loss_counters_are_quiet, snapshot).at(0); }

TEST(LossCountersAreQuiet, PassesAtZeroWhateverOthersCount) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members[0].statistics->at("rx_prio3_pause") = 132000000;
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass);
}

TEST(LossCountersAreQuiet, TotalsAreMentionedAndNeverFailAnAudit) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members[0].statistics->at("rx_discards_phy") = 1822;
  snapshot.ports[0].rdma_statistics->at("out_of_sequence") = 5;
  const Finding finding = judged(snapshot);
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_EQ(finding.seen, "out_of_sequence 5, rx_discards_phy 1822");
  EXPECT_EQ(finding.says,
            "Totals since the driver was loaded, so history as much as news: what counts is whether they grow under "
            "load.");
  EXPECT_EQ(finding.evidence,
            (std::vector<std::string>{"out_of_sequence of mlx5_0: packets that arrived out of order: some were lost",
                                      "rx_discards_phy of ens1np0: received and dropped for want of buffers"}));
  Audit audit;
  audit.findings = {finding};
  EXPECT_EQ(exit_code(audit, Severity::kWarn), 0);
}

TEST(LossCountersAreQuiet, OneMissingListIsSaidAndBothAreUnknown) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].rdma_statistics = gap(GapReason::kNotSupported, "STAT_GET");
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass);
  EXPECT_EQ(judged(snapshot).evidence, std::vector<std::string>{"not looked at: not supported: STAT_GET"});
  snapshot.ports[0].members[0].statistics = gap(GapReason::kDenied, "ethtool -S");
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kUnknown);
  EXPECT_EQ(judged(snapshot).says, "not supported: STAT_GET");
}

}  // namespace
}  // namespace rocert::checks
