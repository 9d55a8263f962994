#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report.h"
#include "unit/report/golden.h"

namespace rocert {
namespace {

using testing::HasSubstr;
using testing::Not;

const Page kPfcPage{.code = "dcb.pfc",
                    .title = "PFC on exactly the lossless priorities",
                    .why = "Without a pause the switch drops under incast.",
                    .remedy = "dcb pfc set dev NETDEV prio-pfc 3:on\nmlnx_qos -i NETDEV --pfc 0,0,0,1,0,0,0,0",
                    .source = "net/dcb/dcbnl.c"};

const Page* find_page(std::string_view code) { return code == kPfcPage.code ? &kPfcPage : nullptr; }

Finding finding(std::string code, std::string port, Verdict verdict, Severity severity = Severity::kError) {
  Finding f;
  f.code = std::move(code);
  f.subject = {"n17", std::move(port), ""};
  f.verdict = verdict;
  f.severity = severity;
  return f;
}

Finding pfc_off(std::string port) {
  Finding f = finding("dcb.pfc", std::move(port), Verdict::kFail);
  f.seen = "0,0,0,0,0,0,0,0";
  f.wanted = "0,0,0,1,0,0,0,0";
  f.says = "RoCE traffic (DSCP 26) rides priority 3, which this port does not pause: it drops under incast.";
  f.evidence = {"kernel/dcb"};
  return f;
}

Audit good() {
  Audit audit;
  audit.host = "n17";
  audit.profile = "lossless";
  audit.ports = 2;
  audit.facts = 412;
  audit.gaps = 2;
  for (const char* port : {"eth2", "eth3"}) {
    audit.findings.push_back(finding("link.mtu", port, Verdict::kPass));
    audit.findings.back().seen = "4200";
  }
  return audit;
}

Audit bad() {
  Audit audit = good();
  audit.notes = {"rails: none stated, ports that share an on-link prefix form one"};
  audit.others = {"ens1: management (no RDMA device)"};
  audit.findings.insert(audit.findings.begin(), {pfc_off("eth2"), pfc_off("eth3")});
  audit.findings[0].consequences = {finding("dcb.dscp_map", "eth2", Verdict::kFail)};
  audit.findings[0].consequences[0].seen = "none";
  audit.findings[0].consequences[0].wanted = "26:3 48:6";
  audit.findings.push_back(finding("memlock-is-unlimited", "", Verdict::kFail, Severity::kWarn));
  audit.findings.back().seen = "64 KiB";
  audit.findings.back().wanted = "unlimited";
  audit.findings.push_back(finding("module.temperature", "eth3", Verdict::kUnknown));
  audit.findings.back().says = "not supported: ethtool module eeprom";
  audit.findings.push_back(finding("rdma_cm.tos", "eth3", Verdict::kUnknown));
  audit.findings.back().says = "absent: /sys/kernel/config/rdma_cm";
  audit.findings.back().wanted = "104";
  audit.findings.back().must_know = true;
  audit.findings.push_back(finding("ethernet.pause", "eth2", Verdict::kFail));
  audit.findings.back().waived = "switch swap, until 2027-01-31";
  audit.findings.push_back(finding("dcb.trust", "eth2", Verdict::kNotApplicable));
  audit.findings.back().seen = "dscp";
  audit.findings.push_back(finding("dcb.trust", "eth3", Verdict::kNotApplicable));
  audit.findings.back().seen = "dscp";
  return audit;
}

TEST(AuditText, IsQuietWhenGood) { expect_golden("audit_good.txt", render_audit(good(), find_page, {})); }

TEST(AuditText, ShowsOneBlockPerRootCause) { expect_golden("audit_bad.txt", render_audit(bad(), find_page, {})); }

TEST(AuditText, ShowsPassesFactsAndGapsWhenAsked) {
  expect_golden("audit_all.txt", render_audit(bad(), find_page, {.all = true}));
}

TEST(AuditText, ColoursOnlyWhenAsked) {
  expect_golden("audit_color.txt", render_audit(bad(), find_page, {.color = true}));
  EXPECT_THAT(render_audit(bad(), find_page, {}), Not(HasSubstr("\x1b")));
}

TEST(AuditText, WithoutAProfileShowsFactsAndSaysSo) {
  Audit audit = bad();
  audit.profile.clear();
  audit.findings.erase(audit.findings.begin(), audit.findings.begin() + 2);
  audit.notes = {"no profile: only what needs no intent is judged, the rest is shown as facts"};
  expect_golden("audit_no_profile.txt", render_audit(audit, find_page, {}));
}

TEST(AuditText, WithoutPortsSaysThatNothingWasJudged) {
  Audit audit;
  audit.host = "n17";
  audit.profile = "lossless";
  EXPECT_EQ(render_audit(audit, find_page, {}),
            "n17 · lossless · no RoCE port · 0 facts, 0 gaps\nno port to judge · exit 0\n");
}

TEST(AuditText, CountsWarningsAsFailuresWhenTheyFail) {
  Audit audit = good();
  audit.findings.push_back(finding("link.mtu", "eth2", Verdict::kFail, Severity::kWarn));
  EXPECT_THAT(render_audit(audit, find_page, {}), HasSubstr("2 ports pass, 1 warning · exit 0"));
  EXPECT_THAT(render_audit(audit, find_page, {.fail_on = Severity::kWarn}),
              HasSubstr("1 port passes, 1 fails · exit 1"));
}

TEST(AuditText, EscapesWhatTheHostSays) {
  Audit audit = good();
  audit.host = "n\x1b[2J";
  audit.findings[0] = pfc_off("eth\n2");
  audit.findings[0].seen = "\x1b]0;x\x07";
  audit.notes = {"a\rb"};
  const std::string text = render_audit(audit, find_page, {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, HasSubstr("eth\\x0a2"));
}

TEST(AuditText, BoundsEvidence) {
  Audit audit = good();
  audit.findings[0] = pfc_off("eth2");
  audit.findings[0].evidence = {"a", "b", "c", "d", "e"};
  const std::string text = render_audit(audit, find_page, {});
  EXPECT_THAT(text, HasSubstr("and 2 more (--all)"));
  EXPECT_THAT(render_audit(audit, find_page, {.all = true}), HasSubstr("e\n"));
}

TEST(PageText, ShowsEveryPartThatThereIs) {
  expect_golden("page.txt", render_page(kPfcPage, "setting", "takes: a set of priorities\nscope: member"));
}

}  // namespace
}  // namespace rocert
