#include <gtest/gtest.h>

#include "support/checking.h"

namespace rocert::checks {
extern const Check memlock_is_unlimited;
namespace {

Snapshot limited(const std::string& soft) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.facts["process.limits"] =
      "Limit                     Soft Limit           Hard Limit           Units\n"
      "Max locked memory         " +
      soft + "              unlimited            bytes";
  return snapshot;
}
Finding judged(const Snapshot& snapshot) { return samples::findings_of(memlock_is_unlimited, snapshot).at(0); }

TEST(MemlockIsUnlimited, Passes) {
  const Finding finding = judged(limited("unlimited"));
  EXPECT_EQ(finding.verdict, Verdict::kPass);
  EXPECT_EQ(finding.seen, "unlimited");
  EXPECT_EQ(finding.subject.port, "");
  ASSERT_EQ(finding.evidence.size(), 1u);
  EXPECT_EQ(
      finding.evidence[0],
      "/proc/self/limits of this run; a job's own limit is set where it is started (slurmd, sshd, containerd) and "
      "may differ");
}

TEST(MemlockIsUnlimited, TheUsualDefaultFails) {
  const Finding finding = judged(limited("8388608"));
  EXPECT_EQ(finding.verdict, Verdict::kFail);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.seen, "8MiB");
  EXPECT_EQ(finding.wanted, "unlimited");
  EXPECT_EQ(finding.says,
            "Registering more memory than this fails with ENOMEM, and libraries then give up or fall back to sockets.");
}

TEST(MemlockIsUnlimited, MuchIsAWarning) {
  EXPECT_EQ(judged(limited("4294967296")).severity, Severity::kWarn);
  EXPECT_EQ(judged(limited("4294967295")).severity, Severity::kError);
}

TEST(MemlockIsUnlimited, AnEffectiveCapabilityLiftsIt) {
  Snapshot snapshot = limited("8388608");
  snapshot.facts["process.status"] = "CapInh:\t0000000000000000\nCapEff:\t00000000a80465fb\nCapBnd:\t00000000a80465fb";
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kPass);
  EXPECT_EQ(judged(snapshot).seen, "8MiB, lifted by CAP_IPC_LOCK");
  snapshot.facts["process.status"] = "CapEff:\t0000000000000000\nCapBnd:\t00000000a80465fb";
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kFail) << "the bounding set lifts nothing";
}

TEST(MemlockIsUnlimited, GapsAndNonsenseAreUnknown) {
  Snapshot snapshot = limited("unlimited");
  snapshot.facts["process.limits"] = gap(GapReason::kNotRecorded, "/proc/self/limits");
  EXPECT_EQ(judged(snapshot).says, "not recorded: /proc/self/limits");
  snapshot.facts["process.limits"] = "Max open files 1 1 files";
  EXPECT_EQ(judged(snapshot).says, "malformed: /proc/self/limits has no line \"Max locked memory\"");
  EXPECT_EQ(judged(limited("lots")).verdict, Verdict::kUnknown);
}

TEST(MemlockIsUnlimited, DoesNotApplyWithoutRoce) {
  Snapshot snapshot = limited("8388608");
  snapshot.ports.clear();
  EXPECT_EQ(judged(snapshot).verdict, Verdict::kNotApplicable);
}

}  // namespace
}  // namespace rocert::checks
