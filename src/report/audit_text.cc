#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "base/text.h"
#include "report/layout.h"
#include "report/report.h"

namespace rocert {
namespace {

constexpr size_t kIndent = 6;
constexpr size_t kEvidenceLines = 3;

// Findings that say the same of several places: one root cause, one block.
struct Block {
  const Finding* finding;  // the first of them
  std::vector<const Finding*> all;
};

bool says_the_same(const Finding& a, const Finding& b) {
  return std::tie(a.code, a.verdict, a.severity, a.seen, a.wanted, a.says, a.waived, a.must_know) ==
         std::tie(b.code, b.verdict, b.severity, b.seen, b.wanted, b.says, b.waived, b.must_know);
}

std::vector<Block> blocks_of(const std::vector<const Finding*>& findings) {
  std::vector<Block> blocks;
  for (const Finding* finding : findings) {
    const auto same =
        std::ranges::find_if(blocks, [&](const Block& block) { return says_the_same(*block.finding, *finding); });
    if (same == blocks.end()) {
      blocks.push_back({finding, {finding}});
    } else {
      same->all.push_back(finding);
    }
  }
  return blocks;
}

std::string place_of(const Subject& subject, const std::string& host) {
  std::string place = subject.port;
  if (subject.host != host) place = place.empty() ? subject.host : subject.host + "/" + place;
  if (!subject.item.empty()) place += (place.empty() ? "" : " ") + subject.item;
  return escaped(place.empty() ? "host" : place);
}

std::string places_of(const Block& block, const std::string& host) {
  std::vector<std::string> places;
  for (const Finding* finding : block.all) {
    const std::string place = place_of(finding->subject, host);
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  return join(places, ", ");
}

std::vector<const Finding*> select(const std::vector<Finding>& findings, auto&& wanted) {
  std::vector<const Finding*> chosen;
  for (const Finding& finding : findings) {
    if (wanted(finding)) chosen.push_back(&finding);
  }
  return chosen;
}

bool fails(const Finding& f) { return f.verdict == Verdict::kFail && !f.waived; }
bool is_fact(const Finding& f) { return f.verdict == Verdict::kNotApplicable && !f.seen.empty(); }

std::string seen_and_wanted(const Finding& finding) {
  std::string seen = escaped(finding.seen);
  std::string wanted = escaped(finding.wanted);
  if (seen.empty()) seen = "nothing";
  if (wanted.empty()) return finding.seen.empty() ? "" : labelled(kIndent, "seen", {seen});
  const bool one_line = columns(seen) + columns(wanted) + 24 <= kTextWidth;
  if (one_line) return labelled(kIndent, "seen", {seen + "  wanted " + wanted});
  return labelled(kIndent, "seen", {seen}) + labelled(kIndent, "wanted", {wanted});
}

std::string evidence_of(const Block& block, const TextOptions& options) {
  std::vector<std::string> lines;
  for (const Finding* finding : block.all) {
    for (const std::string& fact : finding->evidence) {
      const std::string line = escaped(fact);
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    }
  }
  if (!options.all && lines.size() > kEvidenceLines) {
    const size_t more = lines.size() - kEvidenceLines;
    lines.resize(kEvidenceLines);
    lines.push_back(fmt::format("and {} more (--all)", more));
  }
  return labelled(kIndent, "from", lines);
}

std::string remedy_of(const Finding& finding, const FindPage& find_page) {
  const Page* page = find_page ? find_page(finding.code) : nullptr;
  if (page == nullptr || trim(page->remedy).empty()) return {};
  return labelled(kIndent, "e.g.", lines_of(page->remedy));
}

std::string consequences_of(const Block& block, const std::string& host) {
  std::vector<const Finding*> folded;
  for (const Finding* finding : block.all) {
    for (const Finding& consequence : finding->consequences) folded.push_back(&consequence);
  }
  std::vector<std::string> lines;
  for (const Block& consequence : blocks_of(folded)) {
    const Finding& f = *consequence.finding;
    std::string line = f.code + "  " + places_of(consequence, host);
    if (f.verdict == Verdict::kUnknown) {
      line += ": not known";
    } else if (!f.seen.empty()) {
      line += ": seen " + escaped(f.seen) + (f.wanted.empty() ? "" : ", wanted " + escaped(f.wanted));
    }
    lines.push_back(line);
  }
  return labelled(kIndent, "also", lines);
}

std::string label_of(const Finding& finding, bool color) {
  switch (finding.severity) {
    case Severity::kError:
      return painted(color, Tone::kBad, "FAIL  ");
    case Severity::kWarn:
      return painted(color, Tone::kWarn, "WARN  ");
    case Severity::kInfo:
      return painted(color, Tone::kQuiet, "INFO  ");
  }
  return {};
}

std::string failure_text(const Block& block, const Audit& audit, const FindPage& find_page,
                         const TextOptions& options) {
  const Finding& finding = *block.finding;
  std::string out = label_of(finding, options.color) + painted(options.color, Tone::kStrong, finding.code) + "  " +
                    places_of(block, audit.host) + "\n";
  out += seen_and_wanted(finding);
  for (const std::string& line : wrap(escaped(finding.says), kTextWidth - kIndent))
    out += std::string(kIndent, ' ') + line + "\n";
  out += evidence_of(block, options);
  if (finding.severity != Severity::kInfo) out += remedy_of(finding, find_page);
  return out + consequences_of(block, audit.host);
}

// One line: LABEL code places: text.
std::string line_of(std::string_view label, Tone tone, const Block& block, const Audit& audit, std::string_view text,
                    bool color) {
  std::string out =
      painted(color, tone, left(label, kIndent)) + block.finding->code + "  " + places_of(block, audit.host);
  if (!text.empty()) out.append(": ").append(text);
  return out + "\n";
}

std::string gap_text(const Finding& finding) {
  std::string text = escaped(finding.says.empty() ? finding.seen : finding.says);
  if (!finding.wanted.empty()) text += " (wanted " + escaped(finding.wanted) + ")";
  return text;
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string header_of(const Audit& audit, bool color) {
  const std::string ports = audit.ports == 0 ? "no RoCE port" : counted(audit.ports, "RoCE port", "RoCE ports");
  std::string out = fmt::format("{} · {} · {} · {} facts, {}\n", painted(color, Tone::kStrong, escaped(audit.host)),
                                audit.profile.empty() ? "no profile" : escaped(audit.profile), ports, audit.facts,
                                counted(audit.gaps, "gap", "gaps"));
  for (const std::string& note : audit.notes) out += escaped(note) + "\n";
  return out;
}

// The ports of some findings, and whether the host itself is among their subjects.
struct Places {
  std::set<std::string> ports;
  bool host = false;
  void add(const Subject& subject) {
    if (subject.port.empty()) {
      host = true;
    } else {
      ports.insert(subject.port);
    }
  }
};

struct Totals {
  Places judged;
  Places failed;
  Places unknown;
  size_t warnings = 0;
  size_t waived = 0;
  size_t gaps = 0;  // that need not be known
};

// Consequences count as exit_code counts them; those of a waived cause do not.
void add(Totals& totals, const std::vector<Finding>& findings, Severity fail_on) {
  for (const Finding& finding : findings) {
    if (finding.verdict != Verdict::kNotApplicable) totals.judged.add(finding.subject);
    if (finding.waived) {
      ++totals.waived;
      continue;
    }
    if (finding.verdict == Verdict::kFail && finding.severity >= fail_on) {
      totals.failed.add(finding.subject);
    } else if (finding.verdict == Verdict::kFail && finding.severity == Severity::kWarn) {
      ++totals.warnings;
    } else if (finding.verdict == Verdict::kUnknown && finding.must_know) {
      totals.unknown.add(finding.subject);
    } else if (finding.verdict == Verdict::kUnknown) {
      ++totals.gaps;
    }
    add(totals, finding.consequences, fail_on);
  }
}

Totals totals_of(const Audit& audit, Severity fail_on) {
  Totals totals;
  add(totals, audit.findings, fail_on);
  for (const std::string& port : totals.failed.ports) totals.unknown.ports.erase(port);
  return totals;
}

// How many of the audit's ports pass, fail or could not be judged, and the exit code.
std::string closing_of(const Audit& audit, const TextOptions& options) {
  const Totals totals = totals_of(audit, options.fail_on);
  const size_t failed = totals.failed.ports.size();
  const size_t unknown = totals.unknown.ports.size();
  std::vector<std::string> parts;
  const size_t judged = totals.judged.ports.size();
  if (judged > failed + unknown) parts.push_back(counted(judged - failed - unknown, "port passes", "ports pass"));
  if (failed > 0) {
    parts.push_back(parts.empty() ? counted(failed, "port fails", "ports fail") : counted(failed, "fails", "fail"));
  }
  if (unknown > 0) parts.push_back(counted(unknown, "could not be judged", "could not be judged"));
  if (totals.failed.host) parts.emplace_back("the host fails");
  if (totals.unknown.host) parts.emplace_back("the host could not be judged");
  if (audit.ports == 0 && parts.empty()) parts.emplace_back("no port to judge");
  if (audit.ports > 0 && judged == 0) parts.emplace_back("no port was judged");
  if (totals.warnings > 0) parts.push_back(counted(totals.warnings, "warning", "warnings"));
  if (totals.waived > 0) parts.push_back(counted(totals.waived, "waived", "waived"));
  if (totals.gaps > 0 && !options.all) parts.push_back(counted(totals.gaps, "not known (--all)", "not known (--all)"));
  const int code = exit_code(audit, options.fail_on);
  const Tone tone = code == 0 ? Tone::kGood : code == 1 ? Tone::kBad : Tone::kWarn;
  return painted(options.color, tone, fmt::format("{} · exit {}", join(parts, ", "), code)) + "\n";
}

// Grouped by code and value: "link.mtu  4200  eth0, eth1".
std::string facts_text(const std::vector<const Finding*>& facts, const Audit& audit) {
  std::vector<std::array<std::string, 3>> rows;
  size_t widths[2] = {0, 0};
  for (const Block& block : blocks_of(facts)) {
    rows.push_back({block.finding->code, escaped(block.finding->seen, 60), places_of(block, audit.host)});
    for (size_t i : {0, 1}) widths[i] = std::max(widths[i], columns(rows.back()[i]));
  }
  std::string out;
  for (const auto& [code, seen, places] : rows)
    out += "FACT  " + left(code, widths[0]) + "  " + left(seen, widths[1]) + "  " + places + "\n";
  return out;
}

}  // namespace

std::string render_audit(const Audit& audit, const FindPage& find_page, const TextOptions& options) {
  const bool color = options.color;
  std::string body;
  for (const Block& block : blocks_of(select(audit.findings, fails)))
    body += failure_text(block, audit, find_page, options);
  for (const Block& block : blocks_of(select(audit.findings, [&](const Finding& f) {
         return f.verdict == Verdict::kUnknown && (options.all || (f.must_know && !f.waived));
       })))
    body += line_of("GAP", Tone::kWarn, block, audit, gap_text(*block.finding), color);
  for (const Block& block :
       blocks_of(select(audit.findings, [](const Finding& f) { return f.verdict == Verdict::kFail && f.waived; })))
    body += line_of("WAIVE", Tone::kQuiet, block, audit, escaped(*block.finding->waived), color);
  if (options.all) {
    for (const Block& block :
         blocks_of(select(audit.findings, [](const Finding& f) { return f.verdict == Verdict::kPass; })))
      body += line_of("PASS", Tone::kGood, block, audit, escaped(block.finding->seen), color);
  }
  if (options.all || audit.profile.empty()) body += facts_text(select(audit.findings, is_fact), audit);
  if (options.all) {
    for (const std::string& other : audit.others) body += left("OTHER", kIndent) + escaped(other) + "\n";
  }
  if (!body.empty()) body = "\n" + body + "\n";
  return header_of(audit, color) + body + closing_of(audit, options);
}

}  // namespace rocert
