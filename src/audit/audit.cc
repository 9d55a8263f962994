#include "audit/audit.h"

#include <utility>

namespace rocert {
namespace {

Finding finding_of(const Check& check, Judgement&& judgement, Subject subject) {
  Finding finding;
  finding.code = check.page.code;
  finding.subject = std::move(subject);
  finding.verdict = judgement.verdict;
  finding.severity = judgement.severity.value_or(check.severity);
  finding.seen = std::move(judgement.seen);
  finding.wanted = std::move(judgement.wanted);
  finding.says = std::move(judgement.says);
  finding.evidence = std::move(judgement.evidence);
  finding.settings = std::move(judgement.settings);
  return finding;
}

// The limits of a check that the profile does not state hold by their fallback.
Wants with_fallbacks(Wants wants, const Check& check) {
  for (const Limit& limit : check.limits) {
    if (limit.fallback.empty()) continue;
    if (auto value = parse_value(limit.shape, limit.fallback)) wants.limits.try_emplace(std::string(limit.key), *value);
  }
  return wants;
}

// What a rule said, as findings about the subject it was asked of, or about the port and item that it names.
void collect(const Check& check, const Subject& asked, std::vector<Judgement> judgements,
             std::vector<Finding>& findings) {
  for (Judgement& judgement : judgements) {
    Subject subject{asked.host, judgement.port.empty() ? asked.port : judgement.port, judgement.item};
    findings.push_back(finding_of(check, std::move(judgement), std::move(subject)));
  }
}

// "host/netdev" as the two it names.
Subject fabric_subject(const Judgement& judgement) {
  const size_t slash = judgement.port.find('/');
  if (slash == std::string::npos) return {judgement.port, {}, judgement.item};
  return {judgement.port.substr(0, slash), judgement.port.substr(slash + 1), judgement.item};
}

}  // namespace

std::vector<Finding> run_checks(std::span<const Check* const> checks, const Snapshot& snapshot,
                                const DriverTable& drivers, const AuditOptions& options) {
  const std::string& host = options.host.empty() ? snapshot.host.name : options.host;
  std::vector<Finding> findings;
  for (const Check* check : checks) {
    if (const auto* rule = std::get_if<HostRule>(&check->rule)) {
      const Wants wants = with_fallbacks(wants_of(options.profile), *check);
      collect(*check, {host, {}, {}}, (*rule)({snapshot, nullptr, wants, options.profile, drivers}), findings);
    } else if (const auto* port_rule = std::get_if<PortRule>(&check->rule)) {
      for (const Port& port : snapshot.ports) {
        const Wants wants = with_fallbacks(wants_of(options.profile, port), *check);
        if (wants.profile_given && !wants.stated()) continue;  // no role matches: listed by conclude, not judged
        const View view{snapshot, &port, wants, options.profile, drivers};
        collect(*check, {host, port.netdev(), {}}, (*port_rule)(view, port), findings);
      }
    }
  }
  return findings;
}

std::vector<Finding> run_fabric_checks(std::span<const Check* const> checks, const Fabric& fabric) {
  std::vector<Finding> findings;
  for (const Check* check : checks) {
    const auto* rule = std::get_if<FabricRule>(&check->rule);
    if (rule == nullptr) continue;
    const Wants wants = with_fallbacks(wants_of(fabric.profile), *check);
    for (Judgement& judgement : (*rule)(fabric, wants)) {
      Subject subject = fabric_subject(judgement);
      findings.push_back(finding_of(*check, std::move(judgement), std::move(subject)));
    }
  }
  return findings;
}

}  // namespace rocert
