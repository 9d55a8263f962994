#include "certify/suspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/units.h"
#include "certify/grade.h"
#include "fabric/localise.h"

namespace rocert {
namespace {

using Line = std::tuple<std::string, std::string, std::string>;  // rail, class, probe
using EndKey = std::pair<std::string, std::string>;              // host, netdev

constexpr size_t kErrorsShown = 3;

// What one probe saw on one rail, as localise wants it: ends by number.
struct Board {
  std::map<EndKey, size_t> numbers;
  std::vector<EndKey> ends;
  std::vector<PairRate> rates;
  std::vector<const Measurement*> measurements;  // beside the rates

  size_t number(const End& end) {
    const auto [found, added] = numbers.emplace(EndKey{end.host, end.netdev}, ends.size());
    if (added) ends.push_back(found->first);
    return found->second;
  }
};

std::optional<double> figure(const Measurement& m, const char* name) {
  if (!m.figures) return std::nullopt;
  const auto found = m.figures->find(name);
  return found == m.figures->end() ? std::nullopt : std::optional(found->second);
}

bool concerns(const SuspectEnd& suspect, const PairRate& rate) {
  return (suspect.pattern != Pattern::kEveryReceived && rate.from == suspect.end) ||
         (suspect.pattern != Pattern::kEverySent && rate.to == suspect.end);
}

// Best of the end and median of all, in the probe's own figure; "no result" when not one of its pairs has any.
std::string figures_of(const Board& board, const SuspectEnd& suspect, bool latency) {
  const char* name = latency ? "p50_ns" : "bits_per_second";
  std::vector<double> own;
  std::vector<double> all;
  for (size_t i = 0; i < board.rates.size(); ++i) {
    const auto value = figure(*board.measurements[i], name);
    if (!value) continue;
    all.push_back(*value);
    if (concerns(suspect, board.rates[i])) own.push_back(*value);
  }
  const auto text = [&](double value) {
    if (latency) return to_text(std::chrono::nanoseconds(static_cast<int64_t>(value)));
    return to_text(Bandwidth{value}) + "b/s";
  };
  std::sort(all.begin(), all.end());
  const std::string median = all.empty() ? "none" : text(all[all.size() / 2]);
  if (own.empty()) return "no result, median " + median;
  const double best = latency ? *std::min_element(own.begin(), own.end()) : *std::max_element(own.begin(), own.end());
  return fmt::format("{} at best, median {}", text(best), median);
}

std::vector<std::string> errors_of(const Board& board, const SuspectEnd& suspect) {
  std::vector<std::string> errors;
  for (size_t i = 0; i < board.rates.size(); ++i) {
    if (!concerns(suspect, board.rates[i])) continue;
    for (const std::string& error : board.measurements[i]->errors) {
      if (errors.size() == kErrorsShown) return errors;
      if (std::find(errors.begin(), errors.end(), error) == errors.end()) errors.push_back(error);
    }
  }
  return errors;
}

Suspect describe(const Board& board, const SuspectEnd& suspect, const Line& line) {
  const auto& [rail, traffic, probe] = line;
  const auto& [host, netdev] = board.ends[suspect.end];
  return {.host = host,
          .netdev = netdev,
          .rail = rail,
          .says = fmt::format("{} {}; below the limit in {} of {} ({})", probe,
                              figures_of(board, suspect, probe == "send_lat"), suspect.failed, suspect.measured,
                              word_of(suspect.pattern)),
          .evidence = errors_of(board, suspect)};
}

}  // namespace

std::vector<Suspect> find_suspects(const Fabric& fabric) {
  const auto grades = grades_of(fabric);
  std::map<Line, Board> boards;
  for (size_t i = 0; i < fabric.measurements.size(); ++i) {
    const Measurement& m = fabric.measurements[i];
    Board& board = boards[{m.rail, m.traffic_class, m.probe}];
    const size_t from = board.number(m.from);
    board.rates.push_back({from, board.number(m.to), grades[i]});
    board.measurements.push_back(&m);
  }
  const auto is_lost = [&](const EndKey& end) {
    return std::any_of(fabric.hosts.begin(), fabric.hosts.end(),
                       [&](const FabricHost& host) { return host.name == end.first && host.lost; });
  };
  std::map<std::tuple<std::string, std::string, std::string>, Suspect> suspects;  // by rail, host, netdev
  for (const auto& [line, board] : boards) {
    for (const SuspectEnd& end : localise(board.ends.size(), board.rates, 1.0).suspects) {
      if (is_lost(board.ends[end.end])) continue;
      Suspect found = describe(board, end, line);
      const auto [known, added] = suspects.emplace(std::tuple(found.rail, found.host, found.netdev), found);
      if (added) continue;
      known->second.says += "; " + found.says;
      known->second.evidence.insert(known->second.evidence.end(), found.evidence.begin(), found.evidence.end());
    }
  }
  std::vector<Suspect> list;
  for (auto& [key, suspect] : suspects) list.push_back(std::move(suspect));
  return list;
}

}  // namespace rocert
