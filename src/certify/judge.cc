#include "certify/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "certify/grade.h"

namespace rocert {
namespace {

using EndKey = std::pair<std::string, std::string>;  // host, netdev
constexpr size_t kReasonsOfAKind = 5;

EndKey key_of(const End& end) { return {end.host, end.netdev}; }

std::string named(const std::string& rail, const std::string& netdev) {
  if (rail.empty()) return netdev;
  return fmt::format("rail {}{}", rail, netdev.empty() ? "" : " (" + netdev + ")");
}

// What was measured of one port on one rail.
struct Tried {
  std::string rail;
  size_t good = 0;
  std::vector<std::string> unexplained;  // failing, and no suspect at either end
  std::string first_gap;
};

std::string fault_of(const Measurement& m, double grade) {
  const std::string pair = fmt::format("{} {} to {}", m.probe, m.from.host, m.to.host);
  if (!m.figures) return pair + ": " + to_text(m.figures.error());
  if (!m.data_intact) return pair + ": data arrived damaged";
  return fmt::format("{}: {:.0f} % of what is wanted", pair, 100 * grade);
}

class Bench {
 public:
  Bench(const Fabric& fabric, const std::vector<Finding>& findings, const JudgeOptions& options)
      : fabric_(fabric), options_(options) {
    for (const Suspect& suspect : fabric.suspects) suspects_.insert({suspect.host, suspect.netdev});
    for (const FabricHost& host : fabric.hosts) {
      if (host.lost || fails_audit(host)) suspects_.insert({host.name, ""});
    }
    const auto grades = grades_of(fabric);
    for (size_t i = 0; i < grades.size(); ++i) take(fabric.measurements[i], grades[i]);
    for (const Finding& finding : findings) take(finding);
  }

  HostVerdict verdict(const FabricHost& host) const {
    HostVerdict verdict{.host = host.name};
    for (const Suspect& suspect : fabric_.suspects) {
      if (suspect.host == host.name) verdict.suspects.push_back(suspect);
    }
    auto accused = audit_failures(host);
    if (const auto found = accused_.find(host.name); found != accused_.end()) append_some(found->second, "", accused);
    const bool is_certain = !accused.empty();
    for (const Suspect& suspect : verdict.suspects)
      accused.push_back(named(suspect.rail, suspect.netdev) + ": " + suspect.says);
    const auto doubts = doubts_about(host);
    if (is_certain || (!accused.empty() && !host.lost)) {
      verdict.standing = Standing::kExcluded;
    } else {
      verdict.standing = doubts.empty() ? Standing::kCertified : Standing::kUnknown;
    }
    verdict.reasons = std::move(accused);
    if (verdict.standing != Standing::kExcluded || host.lost)
      verdict.reasons.insert(verdict.reasons.end(), doubts.begin(), doubts.end());
    return verdict;
  }

 private:
  bool fails_audit(const FabricHost& host) const {
    return host.snapshot && exit_code(host.audit, options_.fail_on) == 1;
  }

  // A failing pair with such an end says nothing against the other end.
  bool is_suspect(const EndKey& end) const { return suspects_.contains(end) || suspects_.contains({end.first, ""}); }

  void take(const Measurement& m, std::optional<double> grade) {
    const bool explained = is_suspect(key_of(m.from)) || is_suspect(key_of(m.to));
    for (const End* end : {&m.from, &m.to}) {
      Tried& tried = tried_[key_of(*end)];
      tried.rail = m.rail;
      if (!m.figures && tried.first_gap.empty()) tried.first_gap = to_text(m.figures.error());
      if (!grade) continue;
      if (*grade >= 1) {
        ++tried.good;
      } else if (!explained) {
        tried.unexplained.push_back(fault_of(m, *grade));
      }
    }
  }

  // A fabric finding speaks of one port, which is certain, or of a pair whose other end ("host/netdev") is its item.
  void take(const Finding& finding) {
    const bool fails = finding.verdict == Verdict::kFail && finding.severity >= options_.fail_on;
    const bool unknown = finding.verdict == Verdict::kUnknown && finding.must_know;
    if (finding.waived || !(fails || unknown) || finding.subject.host.empty()) return;
    const EndKey own{finding.subject.host, finding.subject.port};
    const auto other = other_end_of(finding);
    if (other && (is_suspect(own) || is_suspect(*other))) return;
    const std::string says =
        fmt::format("{}{}{}{}: seen {}, wanted {}", finding.code, own.second.empty() ? "" : " ", own.second,
                    other ? " with " + finding.subject.item : "", finding.seen, finding.wanted);
    auto& reasons = fails && !other ? accused_ : doubted_;
    reasons[own.first].push_back(says);
    if (other) reasons[other->first].push_back(says);
  }

  std::optional<EndKey> other_end_of(const Finding& finding) const {
    const std::string& item = finding.subject.item;
    const size_t slash = item.find('/');
    if (slash == std::string::npos) return std::nullopt;
    EndKey other{item.substr(0, slash), item.substr(slash + 1)};
    return tried_.contains(other) ? std::optional(other) : std::nullopt;  // "rail 198.18.1.0/24" is no end
  }

  std::vector<std::string> audit_failures(const FabricHost& host) const {
    std::vector<std::string> reasons;
    if (!fails_audit(host)) return reasons;
    for (const Finding& f : host.audit.findings) {
      if (f.verdict != Verdict::kFail || f.severity < options_.fail_on || f.waived) continue;
      reasons.push_back(fmt::format("audit: {}{}{}: seen {}, wanted {}", f.code, f.subject.port.empty() ? "" : " ",
                                    f.subject.port, f.seen, f.wanted));
    }
    if (reasons.empty()) reasons.emplace_back("audit: a consequence of a lesser finding fails");
    return reasons;
  }

  std::vector<std::string> doubts_about(const FabricHost& host) const {
    std::vector<std::string> doubts;
    if (host.lost) {
      doubts.push_back(host.lost->detail.empty() ? to_text(*host.lost) : host.lost->detail);
      return doubts;
    }
    if (!host.snapshot) return {to_text(host.snapshot.error())};
    for (const Finding& f : host.audit.findings) {
      if (f.verdict == Verdict::kUnknown && f.must_know && !f.waived)
        doubts.push_back(
            fmt::format("audit: {}{}{}: {}", f.code, f.subject.port.empty() ? "" : " ", f.subject.port, f.says));
    }
    for (const LeftOut& port : fabric_.left_out) {
      if (port.host == host.name) doubts.push_back(named(port.rail, port.netdev) + " was not measured: " + port.why);
    }
    append_measured_doubts(host.name, doubts);
    if (const auto found = doubted_.find(host.name); found != doubted_.end()) append_some(found->second, "", doubts);
    return doubts;
  }

  void append_measured_doubts(const std::string& host, std::vector<std::string>& doubts) const {
    bool measured = false;
    for (auto at = tried_.lower_bound({host, ""}); at != tried_.end() && at->first.first == host; ++at) {
      const Tried& tried = at->second;
      const std::string where = named(tried.rail, at->first.second);
      measured = true;
      if (tried.good == 0 && tried.unexplained.empty())
        doubts.push_back(where + ": no good measurement" + (tried.first_gap.empty() ? "" : ": " + tried.first_gap));
      append_some(tried.unexplained, where + ": the evidence cannot tell which end: ", doubts);
    }
    if (!measured && doubts.empty()) doubts.emplace_back("none of its ports was measured");
  }

  static void append_some(const std::vector<std::string>& more, const std::string& before,
                          std::vector<std::string>& doubts) {
    for (size_t i = 0; i < std::min(more.size(), kReasonsOfAKind); ++i) doubts.push_back(before + more[i]);
    if (more.size() > kReasonsOfAKind) doubts.push_back(fmt::format("and {} more", more.size() - kReasonsOfAKind));
  }

  const Fabric& fabric_;
  JudgeOptions options_;
  std::set<EndKey> suspects_;
  std::map<EndKey, Tried> tried_;
  std::map<std::string, std::vector<std::string>> accused_, doubted_;  // by host: what the fabric's checks say
};

}  // namespace

Certificate judge(const Fabric& fabric, const std::vector<Finding>& findings, const JudgeOptions& options) {
  const Bench bench(fabric, findings, options);
  Certificate certificate;
  if (fabric.profile != nullptr) certificate.profile = fabric.profile->name;
  for (const FabricHost& host : fabric.hosts) certificate.hosts.push_back(bench.verdict(host));
  for (const Finding& finding : findings) {
    if (finding.verdict == Verdict::kFail || finding.verdict == Verdict::kUnknown)
      certificate.findings.push_back(finding);
  }
  return certificate;
}

int exit_code(const Certificate& certificate) {
  const auto any = [&](Standing standing) {
    return std::any_of(certificate.hosts.begin(), certificate.hosts.end(),
                       [&](const HostVerdict& host) { return host.standing == standing; });
  };
  if (any(Standing::kExcluded)) return 1;
  return any(Standing::kUnknown) || certificate.hosts.empty() ? 3 : 0;
}

}  // namespace rocert
