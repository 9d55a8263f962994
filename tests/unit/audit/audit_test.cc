#include "audit/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/judging.h"

namespace rocert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::array<std::string_view, 2> kCovers{"mtu-is-good", "dcb.pfc"};
constexpr std::array<std::string_view, 1> kCoversBack{"cable-is-in"};
constexpr std::array kLimits{Limit{"rate.at_least", NumberShape{.min = 0, .max = 100}, "7", "least rate"},
                             Limit{"rate.at_most", NumberShape{.min = 0, .max = 100}, "", "most"}};

const Check kCable{.page = {.code = "cable-is-in"},
                   .covers = kCovers,
                   .rule = PortRule([](const View&, const Port& port) -> std::vector<Judgement> {
                     return {port.link.carrier == true ? pass("in") : failure("out", "in", "Nothing passes.")};
                   })};
const Check kMtu{.page = {.code = "mtu-is-good"},
                 .severity = Severity::kWarn,
                 .covers = kCoversBack,
                 .rule = PortRule([](const View& view, const Port& port) -> std::vector<Judgement> {
                   Judgement judgement = port.link.mtu >= 4192 ? pass() : failure("small", "large", "Slow.");
                   judgement.item = view.wants.role;
                   return {judgement};
                 })};
const Check kHostWide{.page = {.code = "rate-is-high"},
                      .limits = kLimits,
                      .rule = HostRule([](const View& view) -> std::vector<Judgement> {
                        Judgement judgement = pass(fmt::format("{} {}", view.wants.limit("rate.at_least").value_or(-1),
                                                               view.wants.limit("rate.at_most").value_or(-1)));
                        judgement.severity = Severity::kInfo;
                        judgement.port = "ens2np0";
                        return {judgement, pass("host")};
                      })};
const Check kPairs{.page = {.code = "pairs-are-fast"},
                   .limits = kLimits,
                   .rule = FabricRule([](const Fabric&, const Wants& wants) -> std::vector<Judgement> {
                     Judgement judgement =
                         failure(fmt::format("{}", wants.limit("rate.at_least").value_or(-1)), "", "");
                     judgement.port = "n1/ens1np0";
                     judgement.item = "n2/ens1np0";
                     Judgement host = pass();
                     host.port = "n3";
                     return {judgement, host};
                   })};
constexpr std::array<const Check*, 4> kChecks{&kCable, &kMtu, &kHostWide, &kPairs};

AuditOptions with(const Profile* profile) { return {.profile = profile, .today = "2026-11-30"}; }

Finding finding(std::string code, std::string port, Verdict verdict, Severity severity = Severity::kError) {
  Finding f;
  f.code = std::move(code);
  f.subject = {"n1", std::move(port), ""};
  f.verdict = verdict;
  f.severity = severity;
  return f;
}

TEST(RunChecks, FillsCodeSubjectAndSeverity) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[1].link.carrier = false;
  const auto findings = run_checks(kChecks, snapshot, samples::drivers(), with(nullptr));
  ASSERT_THAT(findings, SizeIs(6));
  EXPECT_EQ(findings[0].verdict, Verdict::kPass);
  EXPECT_EQ(findings[1].code, "cable-is-in");
  EXPECT_EQ(findings[1].subject, (Subject{"n1", "ens2np0", ""}));
  EXPECT_EQ(findings[1].severity, Severity::kError);
  EXPECT_EQ(findings[1].says, "Nothing passes.");
  EXPECT_EQ(findings[2].severity, Severity::kWarn);
  EXPECT_EQ(findings[4].subject, (Subject{"n1", "ens2np0", ""})) << "a host rule may speak of a port";
  EXPECT_EQ(findings[4].severity, Severity::kInfo);
  EXPECT_EQ(findings[5].subject, (Subject{"n1", "", ""}));
}

TEST(RunChecks, GivesFallbacksOfLimitsUnderTheProfilesOwn) {
  const Snapshot snapshot = samples::good_snapshot();
  EXPECT_EQ(run_checks(kChecks, snapshot, samples::drivers(), with(nullptr))[4].seen, "7 -1");
  Profile profile = samples::lossless_profile();
  profile.limits["rate.at_least"] = int64_t{9};
  EXPECT_EQ(run_checks(kChecks, snapshot, samples::drivers(), with(&profile))[4].seen, "9 -1");
}

TEST(RunChecks, LeavesPortsWithoutARoleAlone) {
  Profile profile = samples::lossless_profile();
  profile.roles[0].match.netdev = "ens1*";
  const auto findings = run_checks(kChecks, samples::good_snapshot(), samples::drivers(), with(&profile));
  EXPECT_EQ(samples::finding_on(findings, "ens1np0").code, "cable-is-in");
  EXPECT_EQ(samples::finding_on(findings, "ens1np0", "compute").code, "mtu-is-good");
  EXPECT_EQ(samples::finding_on(findings, "ens2np0").code, "rate-is-high");
}

TEST(RunChecks, TakesTheHostsNameFromTheOptions) {
  AuditOptions options = with(nullptr);
  options.host = "inventory-name";
  EXPECT_EQ(run_checks(kChecks, samples::good_snapshot(), samples::drivers(), options)[0].subject.host,
            "inventory-name");
}

TEST(RunFabricChecks, SplitsHostAndPort) {
  const auto findings = run_fabric_checks(kChecks, Fabric{});
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].subject, (Subject{"n1", "ens1np0", "n2/ens1np0"}));
  EXPECT_EQ(findings[0].seen, "7");
  EXPECT_EQ(findings[1].subject, (Subject{"n3", "", ""}));
}

TEST(Conclude, SaysThatThereIsNoProfileAndHowRailsCameAbout) {
  const Audit audit = conclude({}, kChecks, samples::good_snapshot(), with(nullptr));
  EXPECT_EQ(audit.host, "n1");
  EXPECT_EQ(audit.profile, "");
  EXPECT_EQ(audit.ports, 2u);
  EXPECT_GT(audit.facts, 50u);
  ASSERT_THAT(audit.notes, SizeIs(2));
  EXPECT_EQ(audit.notes[0], "no profile: only what needs no intent is judged, the rest is shown as facts");
  EXPECT_THAT(audit.notes[1], HasSubstr("rails: none stated, so ports that share an on-link prefix form one: "));
  EXPECT_THAT(audit.notes[1], HasSubstr("ens1np0"));
  EXPECT_THAT(audit.others, ElementsAre("eno1: management (no RDMA device)"));
}

TEST(Conclude, ListsPortsThatNoRoleMatches) {
  Profile profile = samples::lossless_profile();
  profile.roles[0].match.netdev = "ens1*";
  profile.rails.stated = true;
  const Audit audit = conclude({}, kChecks, samples::good_snapshot(), with(&profile));
  EXPECT_EQ(audit.profile, "site");
  EXPECT_THAT(audit.notes, ElementsAre("listed, not judged, because no role matches: ens2np0 (mlx5_1)"));
  EXPECT_THAT(audit.others,
              ElementsAre("ens2np0 (mlx5_1): RoCE port that no role matches", "eno1: management (no RDMA device)"));
}

TEST(Conclude, OrdersBySeveritySubjectAndCode) {
  const Audit audit =
      conclude({finding("z", "ens2np0", Verdict::kPass, Severity::kInfo), finding("b", "ens2np0", Verdict::kFail),
                finding("a", "ens2np0", Verdict::kFail), finding("c", "ens1np0", Verdict::kFail, Severity::kWarn),
                finding("d", "", Verdict::kFail)},
               kChecks, samples::good_snapshot(), with(nullptr));
  std::vector<std::string> codes;
  for (const Finding& f : audit.findings) codes.push_back(f.code);
  EXPECT_THAT(codes, ElementsAre("d", "a", "b", "c", "z"));
}

TEST(Conclude, FoldsConsequencesOnTheSamePort) {
  const Audit audit =
      conclude({finding("dcb.pfc", "ens1np0", Verdict::kUnknown), finding("cable-is-in", "ens1np0", Verdict::kFail),
                finding("mtu-is-good", "ens1np0", Verdict::kFail, Severity::kWarn),
                finding("mtu-is-good", "ens2np0", Verdict::kFail, Severity::kWarn),
                finding("dcb.pfc", "ens2np0", Verdict::kPass)},
               kChecks, samples::good_snapshot(), with(nullptr));
  ASSERT_THAT(audit.findings, SizeIs(3));
  EXPECT_EQ(audit.findings[0].code, "cable-is-in");
  ASSERT_THAT(audit.findings[0].consequences, SizeIs(2));
  EXPECT_EQ(audit.findings[0].consequences[0].code, "dcb.pfc");
  EXPECT_EQ(audit.findings[0].consequences[1].code, "mtu-is-good");
  EXPECT_THAT(audit.findings[2].consequences, IsEmpty());
}

TEST(Conclude, FoldsNothingUnderAPass) {
  const Audit audit =
      conclude({finding("cable-is-in", "ens1np0", Verdict::kPass), finding("dcb.pfc", "ens1np0", Verdict::kFail)},
               kChecks, samples::good_snapshot(), with(nullptr));
  EXPECT_THAT(audit.findings, SizeIs(2));
}

TEST(Conclude, FoldsFindingsOfAMemberUnderItsPort) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].members[0].netdev = "slave0";
  const Audit audit =
      conclude({finding("cable-is-in", "ens1np0", Verdict::kFail), finding("dcb.pfc", "slave0", Verdict::kFail)},
               kChecks, snapshot, with(nullptr));
  ASSERT_THAT(audit.findings, SizeIs(1));
  EXPECT_EQ(audit.findings[0].consequences.at(0).subject.port, "slave0");
}

TEST(Conclude, FoldsAlsoAtHostLevel) {
  const Audit audit = conclude({finding("cable-is-in", "", Verdict::kFail), finding("dcb.pfc", "", Verdict::kFail),
                                finding("dcb.pfc", "ens1np0", Verdict::kFail)},
                               kChecks, samples::good_snapshot(), with(nullptr));
  ASSERT_THAT(audit.findings, SizeIs(2));
  EXPECT_THAT(audit.findings[0].consequences, SizeIs(1));
}

TEST(Conclude, MarksWhatMustBeKnown) {
  Profile profile = samples::lossless_profile();
  profile.must_know = {"dcb.pfc"};
  const Audit audit =
      conclude({finding("dcb.pfc", "ens1np0", Verdict::kUnknown), finding("mtu-is-good", "ens1np0", Verdict::kUnknown)},
               kChecks, samples::good_snapshot(), with(&profile));
  EXPECT_TRUE(audit.findings[0].must_know);
  EXPECT_FALSE(audit.findings[1].must_know);
  EXPECT_EQ(exit_code(audit), 3);
}

TEST(Conclude, WaivesByCodeHostAndPortUntilTheDay) {
  Profile profile = samples::lossless_profile();
  profile.waivers = {
      {.code = "dcb.*", .host = "n[0-9]", .port = "ens1*", .reason = "switch swap", .until = "2026-11-30"}};
  const Audit audit =
      conclude({finding("dcb.pfc", "ens1np0", Verdict::kFail), finding("dcb.pfc", "ens2np0", Verdict::kFail),
                finding("dcb.trust", "ens1np0", Verdict::kPass)},
               kChecks, samples::good_snapshot(), with(&profile));
  EXPECT_EQ(audit.findings[0].waived, "switch swap, until 2026-11-30");
  EXPECT_EQ(audit.findings[1].waived, std::nullopt) << "a pass needs no waiver";
  EXPECT_EQ(audit.findings[2].waived, std::nullopt) << "another port";
  EXPECT_EQ(exit_code(audit), 1);
}

TEST(Conclude, AnExpiredWaiverIsNotedWhereItWouldHaveMattered) {
  Profile profile = samples::lossless_profile();
  profile.rails.stated = true;
  profile.waivers = {{.code = "dcb.pfc", .reason = "switch swap", .until = "2026-11-29"},
                     {.code = "link.mtu", .reason = "never failed", .until = "2026-11-29"}};
  const Audit audit =
      conclude({finding("dcb.pfc", "ens1np0", Verdict::kFail)}, kChecks, samples::good_snapshot(), with(&profile));
  EXPECT_EQ(audit.findings[0].waived, std::nullopt);
  EXPECT_THAT(audit.notes, ElementsAre("the waiver of dcb.pfc ended on 2026-11-29 and no longer holds (switch swap)"));
}

}  // namespace
}  // namespace rocert
