#include "tune/drift.h"

#include <algorithm>
#include <utility>

namespace rocert {
namespace {

std::vector<Subject> subjects_of(const Setting& setting, const View& view, const std::string& host) {
  std::vector<Subject> subjects;
  if (setting.subjects != nullptr) {
    subjects = setting.subjects(view);
  } else if (setting.scope == Scope::kHost) {
    subjects = {Subject{}};
  } else if (setting.scope == Scope::kPort) {
    subjects = {Subject{{}, view.port->netdev(), {}}};
  } else {
    for (const Member& member : view.port->members) subjects.push_back({{}, member.netdev, {}});
    // No physical port was found below: said once, of the port.
    if (subjects.empty()) subjects = {Subject{{}, view.port->netdev(), {}}};
  }
  for (Subject& subject : subjects) subject.host = host;
  return subjects;
}

// The profile's own word goes before what follows from the role's classes; a port without a role wants nothing.
std::optional<Value> wanted_of(const Setting& setting, const View& view, const Subject& subject) {
  if (view.port != nullptr && !view.wants.stated()) return std::nullopt;
  if (const Value* stated = view.wants.stated_value(setting.page.code)) return *stated;
  return setting.wanted == nullptr || !view.wants.profile_given ? std::nullopt : setting.wanted(view, subject);
}

std::string no_intent(const View& view) {
  if (!view.wants.profile_given) return "no profile says what it should be";
  if (view.port != nullptr && !view.wants.stated()) return "no role of the profile matches the port";
  return "the profile wants nothing of it";
}

Finding compare(const Setting& setting, const View& view, const Subject& subject) {
  Finding finding;
  finding.code = setting.page.code;
  finding.subject = subject;
  finding.severity = setting.severity;
  finding.settings = {finding.code};

  const Observed<Value> current = setting.current(view, subject);
  const std::optional<Value> wanted = wanted_of(setting, view, subject);
  const Value* intent = wanted ? &*wanted : nullptr;
  if (!current) {
    finding.seen = to_text(current.error());
  } else {
    finding.seen =
        setting.seen_text == nullptr ? to_text(*current) : setting.seen_text(view, subject, *current, intent);
  }

  finding.verdict = Verdict::kNotApplicable;
  if (const auto reason = setting.inapplicable == nullptr ? std::nullopt : setting.inapplicable(view, subject)) {
    finding.says = *reason;
    return finding;
  }
  if (view.wants.is_unmanaged(setting.page.code)) {
    finding.says = "the profile leaves it unmanaged";
    return finding;
  }
  if (!wanted) {
    finding.says = no_intent(view);
    return finding;
  }

  finding.wanted = setting.wanted_text == nullptr ? to_text(*wanted) : setting.wanted_text(view, subject, *wanted);
  if (!current) {
    finding.verdict = Verdict::kUnknown;
    finding.seen.clear();
    finding.says = to_text(current.error());
    return finding;
  }
  const bool satisfied =
      setting.satisfies == nullptr ? *current == *wanted : setting.satisfies(view, subject, *current, *wanted);
  finding.verdict = satisfied ? Verdict::kPass : Verdict::kFail;
  if (!satisfied) {
    finding.says =
        setting.says == nullptr ? std::string(setting.page.why) : setting.says(view, subject, *current, *wanted);
  }
  return finding;
}

}  // namespace

std::vector<Finding> drift(std::span<const Setting* const> settings, const Snapshot& snapshot,
                           const DriverTable& drivers, const DriftOptions& options) {
  const std::string& host = options.host.empty() ? snapshot.host.name : options.host;
  std::vector<Finding> findings;
  const auto add = [&](const Setting& setting, const View& view) {
    for (const Subject& subject : subjects_of(setting, view, host)) findings.push_back(compare(setting, view, subject));
  };
  const Wants host_wants = wants_of(options.profile);
  for (const Setting* setting : settings) {
    if (setting->scope == Scope::kHost) add(*setting, {snapshot, nullptr, host_wants, options.profile, drivers});
  }
  for (const Port& port : snapshot.ports) {
    const Wants wants = wants_of(options.profile, port);
    const View view{snapshot, &port, wants, options.profile, drivers};
    for (const Setting* setting : settings) {
      if (setting->scope != Scope::kHost) add(*setting, view);
    }
  }
  return findings;
}

const Member* member_of(const View& view, const Subject& subject) {
  if (view.port == nullptr) return nullptr;
  const auto found = std::ranges::find(view.port->members, subject.port, &Member::netdev);
  return found == view.port->members.end() ? nullptr : &*found;
}

}  // namespace rocert
