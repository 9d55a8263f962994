#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "model/inventory.h"
#include "report/layout.h"
#include "report/report.h"

namespace rocert {
namespace {

constexpr size_t kMatrixHosts = 16;  // above: a line per rail
constexpr size_t kReasonIndent = 10;
constexpr size_t kEvidenceLines = 3;  // of a suspect
constexpr std::string_view kBandwidth = "bits_per_second";
constexpr std::string_view kLatency = "p50_ns";

using Chosen = std::vector<const Measurement*>;

std::optional<double> figure_of(const Measurement& measurement, std::string_view name) {
  if (!measurement.figures) return std::nullopt;
  const auto found = measurement.figures->find(std::string(name));
  if (found == measurement.figures->end()) return std::nullopt;
  return found->second;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<double> figures_of(const Chosen& measurements, std::string_view name) {
  std::vector<double> values;
  for (const Measurement* measurement : measurements) {
    if (const auto value = figure_of(*measurement, name)) values.push_back(*value);
  }
  return values;
}

struct Scale {
  double factor;
  std::string_view unit;
};

Scale bandwidth_scale(const std::vector<double>& values) {
  const double most = values.empty() ? 0 : *std::ranges::max_element(values);
  return most >= 10e9 ? Scale{1e9, "Gb/s"} : Scale{1e6, "Mb/s"};
}

std::string number(double value) { return value < 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value); }

std::string cell_of(const Chosen& measurements, const std::string& from, const std::string& to, Scale scale) {
  if (from == to) return "-";
  std::string cell = ".";
  for (const Measurement* m : measurements) {
    if (m->from.host != from || m->to.host != to) continue;
    const auto value = figure_of(*m, kBandwidth);
    cell = value ? number(*value / scale.factor) + (m->data_intact ? "" : "!") : "?";
  }
  return cell;
}

// What the marks of a matrix mean, of those that occur.
std::string legend_of(const std::vector<std::vector<std::string>>& rows) {
  std::set<char> marks;
  for (size_t row = 1; row < rows.size(); ++row) {
    for (size_t column = 1; column < rows[row].size(); ++column) marks.insert(rows[row][column].back());
  }
  std::string legend;
  if (marks.contains('?')) legend += ", ? no result";
  if (marks.contains('.')) legend += ", . not measured";
  if (marks.contains('!')) legend += ", ! data arrived damaged";
  return legend;
}

std::string matrix_of(const std::vector<std::string>& hosts, const Chosen& measurements, Scale scale) {
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"from \\ to"});
  for (const std::string& host : hosts) rows.front().push_back(escaped(host, 40));
  for (const std::string& from : hosts) {
    rows.push_back({escaped(from, 40)});
    for (const std::string& to : hosts) rows.back().push_back(cell_of(measurements, from, to, scale));
  }
  std::string out = "  " + std::string(scale.unit) + legend_of(rows) + "\n";
  std::vector<size_t> widths(hosts.size() + 1, 0);
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  for (const auto& row : rows) {
    out += "  " + left(row[0], widths[0]);
    for (size_t i = 1; i < row.size(); ++i) out += "  " + right(row[i], widths[i]);
    out += "\n";
  }
  return out;
}

const Measurement* worst_of(const Chosen& measurements, std::string_view name, bool low_is_worse) {
  const Measurement* worst = nullptr;
  for (const Measurement* m : measurements) {
    const auto value = figure_of(*m, name);
    if (!value) continue;
    const double best = worst == nullptr ? 0 : *figure_of(*worst, name);
    if (worst == nullptr || (low_is_worse ? *value < best : *value > best)) worst = m;
  }
  return worst;
}

std::string pair_of(const Measurement& m) { return escaped(m.from.host, 40) + " > " + escaped(m.to.host, 40); }

std::string summary_of(const Chosen& measurements, std::string_view figure, Scale scale, bool low_is_worse) {
  const std::vector<double> values = figures_of(measurements, figure);
  const size_t missing = measurements.size() - values.size();
  std::string out;
  if (const Measurement* worst = worst_of(measurements, figure, low_is_worse)) {
    out = fmt::format("median {} {}, worst {} {} ({})", number(median_of(values) / scale.factor), scale.unit,
                      number(*figure_of(*worst, figure) / scale.factor), scale.unit, pair_of(*worst));
  }
  if (missing > 0)
    out += fmt::format("{}{} of {} without a result", out.empty() ? "" : ", ", missing, measurements.size());
  return out;
}

// Measurements by rail and probe.
std::map<std::pair<std::string, std::string>, Chosen> by_rail(const Fabric& fabric) {
  std::map<std::pair<std::string, std::string>, Chosen> chosen;
  for (const Measurement& m : fabric.measurements) chosen[{m.rail, m.probe}].push_back(&m);
  return chosen;
}

bool tells(const Chosen& measurements, std::string_view figure) {
  return std::ranges::any_of(measurements, [&](const Measurement* m) { return figure_of(*m, figure).has_value(); });
}

std::string measurements_text(const Fabric& fabric, bool color) {
  std::vector<std::string> hosts;
  for (const FabricHost& host : fabric.hosts) hosts.push_back(host.name);
  std::string out;
  for (const auto& [key, measurements] : by_rail(fabric)) {
    const std::string head = painted(color, Tone::kStrong, fmt::format("rail {} · {}", escaped(key.first), key.second));
    if (tells(measurements, kLatency)) {
      out += head + " · " + summary_of(measurements, kLatency, {1e3, "us"}, false) + "\n";
      continue;
    }
    const Scale scale = bandwidth_scale(figures_of(measurements, kBandwidth));
    out += head + " · " + summary_of(measurements, kBandwidth, scale, true) + "\n";
    if (hosts.size() <= kMatrixHosts && tells(measurements, kBandwidth)) out += matrix_of(hosts, measurements, scale);
  }
  return out.empty() ? "" : out + "\n";
}

std::vector<std::string> standing(const Certificate& certificate, Standing wanted) {
  std::vector<std::string> hosts;
  for (const HostVerdict& verdict : certificate.hosts) {
    if (verdict.standing == wanted) hosts.push_back(verdict.host);
  }
  return hosts;
}

// One line a code: how often, and the first of them. The hosts' reasons tell the rest.
std::string findings_text(const Certificate& certificate, bool color) {
  std::map<std::string, std::vector<const Finding*>> by_code;
  for (const Finding& finding : certificate.findings) by_code[finding.code].push_back(&finding);
  std::string out;
  for (const auto& [code, findings] : by_code) {
    const Finding& first = *findings.front();
    const bool fails = first.verdict == Verdict::kFail;
    const std::string label = !fails                               ? painted(color, Tone::kWarn, "GAP   ")
                              : first.severity == Severity::kError ? painted(color, Tone::kBad, "FAIL  ")
                                                                   : painted(color, Tone::kWarn, "WARN  ");
    out += label + code;
    if (!first.subject.host.empty()) out += "  " + escaped(first.subject.host);
    if (!first.subject.port.empty()) out += "/" + escaped(first.subject.port);
    if (!first.subject.item.empty()) out += " " + escaped(first.subject.item);
    out += ": " + (first.seen.empty() ? escaped(first.says) : "seen " + escaped(first.seen));
    if (!first.wanted.empty()) out += ", wanted " + escaped(first.wanted);
    if (findings.size() > 1) out += fmt::format(" (and {} more)", findings.size() - 1);
    out += "\n";
  }
  return out.empty() ? "" : out + "\n";
}

std::string verdict_text(const HostVerdict& verdict, bool color) {
  const bool excluded = verdict.standing == Standing::kExcluded;
  std::string out = painted(color, excluded ? Tone::kBad : Tone::kWarn, excluded ? "EXCLUDED  " : "UNKNOWN   ") +
                    escaped(verdict.host) + "\n";
  for (const std::string& reason : verdict.reasons) {
    for (const std::string& line : wrap(escaped(reason), kTextWidth - kReasonIndent))
      out += std::string(kReasonIndent, ' ') + line + "\n";
  }
  for (const Suspect& suspect : verdict.suspects) {  // what they say is among the reasons
    for (size_t i = 0; i < std::min(suspect.evidence.size(), kEvidenceLines); ++i)
      out += std::string(kReasonIndent, ' ') + "from " + escaped(suspect.evidence[i]) + "\n";
  }
  return out;
}

}  // namespace

std::string render_certificate(const Certificate& certificate, const Fabric& fabric, const TextOptions& options) {
  const std::vector<std::string> certified = standing(certificate, Standing::kCertified);
  const size_t excluded = standing(certificate, Standing::kExcluded).size();
  const size_t unknown = standing(certificate, Standing::kUnknown).size();
  std::string out = measurements_text(fabric, options.color);
  out += findings_text(certificate, options.color);
  out += fmt::format("{} of {} pairs measured\n", certificate.pairs_measured, certificate.pairs_planned);
  const Tone tone = excluded > 0 ? Tone::kBad : unknown > 0 ? Tone::kWarn : Tone::kGood;
  out += painted(options.color, tone,
                 fmt::format("{} CERTIFIED, {} EXCLUDED, {} UNKNOWN", certified.size(), excluded, unknown)) +
         "\n";
  if (!certified.empty()) out += "CERTIFIED " + escaped(compress_hosts(certified)) + "\n";
  for (const HostVerdict& verdict : certificate.hosts) {
    if (verdict.standing != Standing::kCertified) out += verdict_text(verdict, options.color);
  }
  return out;
}

}  // namespace rocert
