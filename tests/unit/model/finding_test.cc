#include "model/finding.h"

#include <gtest/gtest.h>

#include "model/gap.h"

namespace rocert {
namespace {

Finding finding(Verdict verdict, Severity severity = Severity::kError) {
  Finding f;
  f.code = "port-is-active";
  f.subject = {"n1", "ens1np0", ""};
  f.verdict = verdict;
  f.severity = severity;
  return f;
}

Audit audit_of(std::vector<Finding> findings) {
  Audit audit;
  audit.host = "n1";
  audit.findings = std::move(findings);
  return audit;
}

TEST(Judgement, BuildersSayWhatTheyMean) {
  EXPECT_EQ(pass("4096 bytes").verdict, Verdict::kPass);
  EXPECT_EQ(pass("4096 bytes").seen, "4096 bytes");
  const Judgement failed = failure("1024", "4096", "Slow.");
  EXPECT_EQ(failed.verdict, Verdict::kFail);
  EXPECT_EQ(failed.seen + "/" + failed.wanted + "/" + failed.says, "1024/4096/Slow.");
  EXPECT_EQ(not_applicable("a virtual function").verdict, Verdict::kNotApplicable);
  const Judgement gap = unknown({GapReason::kDenied, "needs root"}, "4096");
  EXPECT_EQ(gap.verdict, Verdict::kUnknown);
  EXPECT_EQ(gap.says, "denied: needs root");
  EXPECT_EQ(gap.wanted, "4096");
  EXPECT_EQ(gap.seen, "");
}

TEST(ExitCode, PassesAndHarmlessFindingsGiveZero) {
  EXPECT_EQ(exit_code(audit_of({})), 0);
  EXPECT_EQ(exit_code(audit_of({finding(Verdict::kPass), finding(Verdict::kNotApplicable)})), 0);
  EXPECT_EQ(exit_code(audit_of({finding(Verdict::kFail, Severity::kWarn), finding(Verdict::kFail, Severity::kInfo)})),
            0);
  EXPECT_EQ(exit_code(audit_of({finding(Verdict::kUnknown)})), 0);
}

TEST(ExitCode, AnErrorGivesOneAndOutranksThree) {
  Finding gap = finding(Verdict::kUnknown);
  gap.must_know = true;
  EXPECT_EQ(exit_code(audit_of({gap})), 3);
  EXPECT_EQ(exit_code(audit_of({gap, finding(Verdict::kFail)})), 1);
}

TEST(ExitCode, WarningsFailOnDemand) {
  const Audit audit = audit_of({finding(Verdict::kFail, Severity::kWarn)});
  EXPECT_EQ(exit_code(audit, Severity::kWarn), 1);
  EXPECT_EQ(exit_code(audit_of({finding(Verdict::kFail, Severity::kInfo)}), Severity::kWarn), 0);
}

TEST(ExitCode, AWaiverCoversWhatFollowsFromItsFinding) {
  Finding waived = finding(Verdict::kFail);
  waived.waived = "rolling upgrade, until 2027-01-31";
  waived.consequences = {finding(Verdict::kFail)};
  EXPECT_EQ(exit_code(audit_of({waived})), 0);
  waived.must_know = true;
  waived.verdict = Verdict::kUnknown;
  EXPECT_EQ(exit_code(audit_of({waived})), 0);
}

TEST(ExitCode, AnErrorUnderAWarningCounts) {
  Finding cause = finding(Verdict::kFail, Severity::kWarn);
  cause.consequences = {finding(Verdict::kFail)};
  EXPECT_EQ(exit_code(audit_of({cause})), 1);
}

TEST(AuditCodec, RoundTrips) {
  Finding cause = finding(Verdict::kFail);
  cause.seen = "down";
  cause.wanted = "active";
  cause.says = "No RDMA traffic \"passes\" \x01 this port.";
  cause.evidence = {"rdma link mlx5_0/1"};
  cause.settings = {"link.mtu"};
  cause.must_know = true;
  cause.waived = "swap";
  cause.consequences = {finding(Verdict::kUnknown, Severity::kWarn)};
  Audit audit = audit_of({cause, finding(Verdict::kPass, Severity::kInfo)});
  audit.profile = "lossless";
  audit.notes = {"rails: none stated"};
  audit.ports = 2;
  audit.facts = 400;
  audit.gaps = 3;
  audit.others = {"eno1: management (no RDMA device)"};
  const std::string text = encode_audit(audit);
  EXPECT_TRUE(text.starts_with("{\n  \"schema\": \"rocert/audit/1\",\n  \"host\": \"n1\"")) << text;
  const auto decoded = decode_audit(text);
  ASSERT_TRUE(decoded) << to_text(decoded.error());
  EXPECT_EQ(*decoded, audit);
}

TEST(AuditCodec, RefusesAnotherSchemaAndUnknownKeys) {
  const auto other = decode_audit(R"({"schema": "rocert/audit/9"})");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::kMalformed);
  EXPECT_EQ(other.error().message, "schema: seen \"rocert/audit/9\", wanted \"rocert/audit/1\"");
  const auto none = decode_audit("[]");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "schema: seen \"none\", wanted \"rocert/audit/1\"");

  std::string text = encode_audit(audit_of({finding(Verdict::kPass)}));
  text.replace(text.find("\"pass\""), 6, "\"fine\"");
  const auto wrong = decode_audit(text);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "findings[0].verdict: seen \"fine\", wanted one of its words");
}

}  // namespace
}  // namespace rocert
