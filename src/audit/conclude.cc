#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "audit/audit.h"
#include "base/text.h"

namespace rocert {
namespace {

bool is_trouble(const Finding& finding) {
  return finding.verdict == Verdict::kFail || finding.verdict == Verdict::kUnknown;
}

bool matches(const Waiver& waiver, const Finding& finding) {
  const auto holds = [](const std::optional<std::string>& pattern, const std::string& text) {
    return !pattern || matches_glob(*pattern, text);
  };
  return matches_glob(waiver.code, finding.code) && holds(waiver.host, finding.subject.host) &&
         holds(waiver.port, finding.subject.port);
}

// Waives what the profile waives; returns a note for every waiver that would have mattered and has run out.
std::vector<std::string> waive(const Profile& profile, const std::string& today, std::vector<Finding>& findings) {
  std::vector<std::string> notes;
  for (const Waiver& waiver : profile.waivers) {
    const bool holds = waiver.until.empty() || today <= waiver.until;  // dates compare as text
    bool mattered = false;
    for (Finding& finding : findings) {
      if (!is_trouble(finding) || finding.waived || !matches(waiver, finding)) continue;
      mattered = true;
      if (!holds) continue;
      finding.waived = waiver.until.empty() ? waiver.reason : waiver.reason + ", until " + waiver.until;
    }
    if (mattered && !holds)
      notes.push_back(fmt::format("the waiver of {} ended on {} and no longer holds ({})", waiver.code, waiver.until,
                                  waiver.reason));
  }
  return notes;
}

void put_in_order(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(b.severity, a.subject, a.code) < std::tie(a.severity, b.subject, b.code);
  });
}

// Netdev of a member -> netdev of its port, where they differ.
std::map<std::string, std::string> owners_of(const Snapshot& snapshot) {
  std::map<std::string, std::string> owners;
  for (const Port& port : snapshot.ports) {
    for (const Member& member : port.members) {
      if (member.netdev != port.netdev()) owners.emplace(member.netdev, port.netdev());
    }
  }
  return owners;
}

// Moves every failure and gap that another failure explains under it: same host or port, or a member of that port.
std::vector<Finding> fold(std::vector<Finding> findings, std::span<const Check* const> checks,
                          const Snapshot& snapshot) {
  std::map<std::string_view, std::span<const std::string_view>> covers;
  for (const Check* check : checks) covers[check->page.code] = check->covers;
  const auto owners = owners_of(snapshot);
  const auto same_place = [&](const Subject& cause, const Subject& other) {
    if (cause.port == other.port) return true;
    const auto owner = owners.find(other.port);
    return owner != owners.end() && owner->second == cause.port;
  };

  std::vector<size_t> parents(findings.size());
  for (size_t i = 0; i < parents.size(); ++i) parents[i] = i;
  const auto root_of = [&](size_t at) {
    while (parents[at] != at) at = parents[at];
    return at;
  };
  for (size_t cause = 0; cause < findings.size(); ++cause) {
    const auto covered = covers.find(findings[cause].code);
    if (findings[cause].verdict != Verdict::kFail || covered == covers.end()) continue;
    for (size_t other = 0; other < findings.size(); ++other) {
      const bool free = parents[other] == other && root_of(cause) != other;
      if (!free || !is_trouble(findings[other]) || !same_place(findings[cause].subject, findings[other].subject))
        continue;
      if (std::ranges::find(covered->second, findings[other].code) != covered->second.end()) parents[other] = cause;
    }
  }

  // All that follows stands directly under the root cause, in the order of the findings.
  for (size_t i = 0; i < findings.size(); ++i) {
    if (parents[i] != i) findings[root_of(i)].consequences.push_back(findings[i]);
  }
  std::vector<Finding> causes;
  for (size_t i = 0; i < findings.size(); ++i) {
    if (parents[i] == i) causes.push_back(std::move(findings[i]));
  }
  return causes;
}

std::string rails_note(const Profile* profile, const Snapshot& snapshot) {
  const Rails rails = profile == nullptr ? Rails{} : profile->rails;
  if (rails.stated || snapshot.ports.empty()) return {};
  std::vector<std::string> ports;
  for (const auto& [netdev, rail] : rails_of(rails, snapshot))
    ports.push_back(fmt::format("{} is rail {}", netdev, rail));
  return "rails: none stated, so ports that share an on-link prefix form one: " +
         (ports.empty() ? "no port has such a prefix" : join(ports, ", "));
}

std::vector<std::string> unmatched_ports(const Profile& profile, const Snapshot& snapshot) {
  std::vector<std::string> names;
  for (const Port& port : snapshot.ports) {
    if (role_of(profile, port) == nullptr) names.push_back(fmt::format("{} ({})", port.netdev(), port.rdma.device));
  }
  return names;
}

}  // namespace

Audit conclude(std::vector<Finding> findings, std::span<const Check* const> checks, const Snapshot& snapshot,
               const AuditOptions& options) {
  Audit audit;
  audit.host = options.host.empty() ? snapshot.host.name : options.host;
  audit.ports = snapshot.ports.size();
  const Tally counts = tally(snapshot);
  audit.facts = counts.facts;
  audit.gaps = counts.gaps;
  if (options.profile == nullptr) {
    audit.notes.emplace_back("no profile: only what needs no intent is judged, the rest is shown as facts");
  } else {
    audit.profile = options.profile->name;
    for (Finding& finding : findings) finding.must_know = options.profile->must_know.contains(finding.code);
    audit.notes = waive(*options.profile, options.today, findings);
    const auto unmatched = unmatched_ports(*options.profile, snapshot);
    if (!unmatched.empty())
      audit.notes.push_back("listed, not judged, because no role matches: " + join(unmatched, ", "));
    for (const std::string& port : unmatched) audit.others.push_back(port + ": RoCE port that no role matches");
  }
  if (std::string note = rails_note(options.profile, snapshot); !note.empty()) audit.notes.push_back(std::move(note));
  for (const OtherDevice& other : snapshot.others)
    audit.others.push_back(fmt::format("{}: {} ({})", other.name, word_of(other.kind), other.why));
  put_in_order(findings);
  audit.findings = fold(std::move(findings), checks, snapshot);
  return audit;
}

}  // namespace rocert
