#include "tune/drift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/judging.h"

namespace rocert {
namespace {

using ::testing::SizeIs;

Observed<Value> carrier_losses(const View& view, const Subject& subject) {
  const Member* member = member_of(view, subject);
  if (member == nullptr) return gap(GapReason::kAbsent, "no member " + subject.port);
  if (!member->rings) return tl::unexpected(member->rings.error());
  return Value(int64_t{member->rings->rx.value_or(0)});
}

const Setting kRing{.page = {.code = "ring.rx", .why = "Why it matters."},
                    .takes = NumberShape{.min = 0, .max = 8192},
                    .scope = Scope::kMember,
                    .severity = Severity::kWarn,
                    .current = carrier_losses,
                    .wanted = [](const View&, const Subject&) -> std::optional<Value> { return Value(int64_t{2048}); },
                    .inapplicable = [](const View&, const Subject& subject) -> std::optional<std::string> {
                      if (subject.port != "vf0") return std::nullopt;
                      return "a virtual function";
                    }};
const Setting kHostWide{
    .page = {.code = "host.word", .why = "Why."},
    .takes = FlagShape{},
    .scope = Scope::kHost,
    .current = [](const View&, const Subject&) -> Observed<Value> { return Value(std::string("b")); },
    .satisfies = [](const View&, const Subject&, const Value&,
                    const Value& wanted) { return wanted == Value(std::string("any")); },
    .seen_text =
        [](const View&, const Subject&, const Value& current, const Value* wanted) {
          return "<" + to_text(current) + (wanted == nullptr ? "" : " for " + to_text(*wanted)) + ">";
        },
    .wanted_text = [](const View&, const Subject&, const Value& wanted) { return "like " + to_text(wanted); },
    .says = [](const View&, const Subject&, const Value& current,
               const Value& wanted) { return to_text(current) + " is not " + to_text(wanted); }};
const Setting kItems{.page = {.code = "port.items"},
                     .takes = FlagShape{},
                     .scope = Scope::kPort,
                     .subjects = [](const View& view) -> std::vector<Subject> {
                       return {{"", view.port->netdev(), "a"}, {"", view.port->netdev(), "b"}};
                     },
                     .current = [](const View&, const Subject&) -> Observed<Value> { return Value(true); }};

std::vector<Finding> drift_of(const Setting& setting, const Snapshot& snapshot, const Profile* profile) {
  const std::array<const Setting*, 1> settings{&setting};
  return drift(settings, snapshot, samples::drivers(), {.profile = profile});
}

TEST(Drift, ComparesEveryMemberWithWhatFollowsFromTheRole) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[1].members[0].rings->rx = 2048;
  const Profile profile = samples::lossless_profile();
  const auto findings = drift_of(kRing, snapshot, &profile);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].code, "ring.rx");
  EXPECT_EQ(findings[0].subject, (Subject{"n1", "ens1np0", ""}));
  EXPECT_EQ(findings[0].verdict, Verdict::kFail);
  EXPECT_EQ(findings[0].severity, Severity::kWarn);
  EXPECT_EQ(findings[0].seen, "1024");
  EXPECT_EQ(findings[0].wanted, "2048");
  EXPECT_EQ(findings[0].says, "Why it matters.");
  EXPECT_EQ(findings[0].settings, std::vector<std::string>{"ring.rx"});
  EXPECT_EQ(findings[1].verdict, Verdict::kPass);
  EXPECT_EQ(findings[1].says, "");
}

TEST(Drift, TheProfilesOwnValueGoesFirst) {
  Profile profile = samples::lossless_profile();
  profile.settings["ring.rx"] = Value(int64_t{1024});
  EXPECT_EQ(drift_of(kRing, samples::good_snapshot(), &profile)[0].verdict, Verdict::kPass);
}

TEST(Drift, WithoutIntentTheValueIsAFact) {
  const auto none = drift_of(kRing, samples::good_snapshot(), nullptr);
  EXPECT_EQ(none[0].verdict, Verdict::kNotApplicable);
  EXPECT_EQ(none[0].seen, "1024");
  EXPECT_EQ(none[0].says, "no profile says what it should be");

  Profile profile = samples::lossless_profile();
  profile.roles[0].match.netdev = "eth*";
  profile.settings["ring.rx"] = Value(int64_t{1});
  const auto unmatched = drift_of(kRing, samples::good_snapshot(), &profile);
  EXPECT_EQ(unmatched[0].verdict, Verdict::kNotApplicable);
  EXPECT_EQ(unmatched[0].says, "no role of the profile matches the port");
}

TEST(Drift, UnmanagedIsNotJudged) {
  Profile profile = samples::lossless_profile();
  profile.settings["ring.rx"] = Unmanaged{};
  const auto findings = drift_of(kRing, samples::good_snapshot(), &profile);
  EXPECT_EQ(findings[0].verdict, Verdict::kNotApplicable);
  EXPECT_EQ(findings[0].seen, "1024");
  EXPECT_EQ(findings[0].says, "the profile leaves it unmanaged");
}

TEST(Drift, AGapIsUnknownWhereSomethingIsWantedAndAFactElsewhere) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].members[0].rings = gap(GapReason::kDenied, "needs root");
  const Profile profile = samples::lossless_profile();
  const Finding wanted = drift_of(kRing, snapshot, &profile)[0];
  EXPECT_EQ(wanted.verdict, Verdict::kUnknown);
  EXPECT_EQ(wanted.seen, "");
  EXPECT_EQ(wanted.wanted, "2048");
  EXPECT_EQ(wanted.says, "denied: needs root");
  const Finding fact = drift_of(kRing, snapshot, nullptr)[0];
  EXPECT_EQ(fact.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(fact.seen, "denied: needs root");
}

TEST(Drift, SaysWhyASettingDoesNotApply) {
  Snapshot snapshot = samples::good_snapshot();
  snapshot.ports[0].members[0].netdev = "vf0";
  const Profile profile = samples::lossless_profile();
  const Finding finding = samples::finding_on(drift_of(kRing, snapshot, &profile), "vf0");
  EXPECT_EQ(finding.verdict, Verdict::kNotApplicable);
  EXPECT_EQ(finding.says, "a virtual function");
}

TEST(Drift, APortWithoutMembersIsNotPassedOver) {
  Snapshot snapshot = samples::good_snapshot({.ports = 1});
  snapshot.ports[0].members.clear();
  Profile profile = samples::lossless_profile();
  profile.roles[0].match = {};
  const auto findings = drift_of(kRing, snapshot, &profile);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(findings[0].says, "absent: no member ens1np0");
}

TEST(Drift, HostSettingsNeedNoRoleAndUseTheirOwnWords) {
  Profile profile = samples::lossless_profile();
  profile.settings["host.word"] = Value(std::string("a"));
  const auto findings = drift_of(kHostWide, samples::good_snapshot(), &profile);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].subject, (Subject{"n1", "", ""}));
  EXPECT_EQ(findings[0].seen, "<b for a>");
  EXPECT_EQ(findings[0].wanted, "like a");
  EXPECT_EQ(findings[0].says, "b is not a");
  profile.settings["host.word"] = Value(std::string("any"));
  EXPECT_EQ(drift_of(kHostWide, samples::good_snapshot(), &profile)[0].verdict, Verdict::kPass);
  const Profile silent = samples::lossless_profile();
  const Finding fact = drift_of(kHostWide, samples::good_snapshot(), &silent)[0];
  EXPECT_EQ(fact.seen, "<b>");
  EXPECT_EQ(fact.says, "the profile wants nothing of it");
}

TEST(Drift, ASettingMayNameItsOwnSubjects) {
  const auto findings = drift_of(kItems, samples::good_snapshot({.ports = 1}), nullptr);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[1].subject, (Subject{"n1", "ens1np0", "b"}));
}

}  // namespace
}  // namespace rocert
