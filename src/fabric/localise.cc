#include "fabric/localise.h"

#include <algorithm>
#include <array>

namespace rocert {
namespace {

double median_of(std::vector<double> rates) {
  if (rates.empty()) return 0;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  if (rates.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(rates.begin(), middle)) / 2;
}

// What counts for a pattern: which of an end's pairs, how many must fail, and what share of them.
struct Rule {
  Pattern pattern;
  size_t at_least;
  double share;
};
constexpr std::array kRules{
    Rule{Pattern::kEveryPair, 2, 1.0},
    Rule{Pattern::kEverySent, 3, 1.0},
    Rule{Pattern::kEveryReceived, 3, 1.0},
    Rule{Pattern::kMostPairs, 3, 0.75},
};

bool concerns(Pattern pattern, const PairRate& pair, size_t end) {
  const bool sends = pair.from == end;
  const bool receives = pair.to == end;
  switch (pattern) {
    case Pattern::kEverySent:
      return sends;
    case Pattern::kEveryReceived:
      return receives;
    case Pattern::kEveryPair:
    case Pattern::kMostPairs:
      break;
  }
  return sends || receives;
}

// The direction as the other end of the pair sees it.
constexpr Pattern mirrored(Pattern pattern) {
  if (pattern == Pattern::kEverySent) return Pattern::kEveryReceived;
  if (pattern == Pattern::kEveryReceived) return Pattern::kEverySent;
  return pattern;
}

class Evidence {
 public:
  Evidence(size_t ends, std::span<const PairRate> pairs, double floor) : of_end_(ends), named_(ends), floor_(floor) {
    for (const PairRate& pair : pairs) {
      if (pair.from >= ends || pair.to >= ends || pair.from == pair.to || !pair.rate) continue;
      pairs_.push_back(pair);
      of_end_[pair.from].push_back(pair);
      of_end_[pair.to].push_back(pair);
    }
  }

  const std::vector<PairRate>& measured() const { return pairs_; }
  bool fails(const PairRate& pair) const { return *pair.rate < floor_; }
  bool explains(const PairRate& pair) const { return named_[pair.from] || named_[pair.to]; }

  // Names every end that the rule accuses; those of one rule do not depend on each other.
  std::vector<SuspectEnd> apply(const Rule& rule) {
    const std::vector<bool> proven = proven_ends(mirrored(rule.pattern));
    std::vector<SuspectEnd> found;
    for (size_t end = 0; end < named_.size(); ++end) {
      if (!named_[end] && is_accused(rule, proven, end)) found.push_back(describe(rule.pattern, end));
    }
    for (const SuspectEnd& suspect : found) named_[suspect.end] = true;
    return found;
  }

 private:
  // Ends with a pair at or above the floor: they can carry the rate, at least in that direction.
  std::vector<bool> proven_ends(Pattern pattern) const {
    std::vector<bool> proven(named_.size());
    for (const PairRate& pair : pairs_) {
      if (fails(pair)) continue;
      if (concerns(pattern, pair, pair.from)) proven[pair.from] = true;
      if (concerns(pattern, pair, pair.to)) proven[pair.to] = true;
    }
    return proven;
  }

  bool is_accused(const Rule& rule, const std::vector<bool>& proven, size_t end) const {
    size_t failed = 0;
    size_t passed = 0;
    for (const PairRate& pair : of_end_[end]) {
      if (!concerns(rule.pattern, pair, end) || explains(pair)) continue;
      const size_t other = pair.from == end ? pair.to : pair.from;
      if (!fails(pair)) {
        ++passed;
      } else if (proven[other]) {
        ++failed;
      }
    }
    return failed >= rule.at_least && static_cast<double>(failed) >= rule.share * static_cast<double>(failed + passed);
  }

  SuspectEnd describe(Pattern pattern, size_t end) const {
    SuspectEnd suspect{.end = end, .pattern = pattern};
    std::vector<double> rates;
    for (const PairRate& pair : of_end_[end]) {
      if (!concerns(pattern, pair, end)) continue;
      rates.push_back(*pair.rate);
      suspect.failed += fails(pair) ? 1 : 0;
    }
    suspect.measured = rates.size();
    suspect.best = *std::max_element(rates.begin(), rates.end());
    suspect.median = median_of(std::move(rates));
    return suspect;
  }

  std::vector<PairRate> pairs_;  // with a rate, between known ends
  std::vector<std::vector<PairRate>> of_end_;
  std::vector<bool> named_;
  double floor_;
};

std::vector<size_t> ends_without_rate(size_t ends, const std::vector<PairRate>& measured) {
  std::vector<bool> seen(ends);
  for (const PairRate& pair : measured) seen[pair.from] = seen[pair.to] = true;
  std::vector<size_t> missing;
  for (size_t end = 0; end < ends; ++end) {
    if (!seen[end]) missing.push_back(end);
  }
  return missing;
}

}  // namespace

Localisation localise(size_t ends, std::span<const PairRate> pairs, double floor) {
  Evidence evidence(ends, pairs, floor);
  Localisation result;
  for (const Rule& rule : kRules) {
    const std::vector<SuspectEnd> found = evidence.apply(rule);
    result.suspects.insert(result.suspects.end(), found.begin(), found.end());
  }
  std::ranges::sort(result.suspects, {}, &SuspectEnd::end);

  std::vector<double> rates;
  for (const PairRate& pair : evidence.measured()) {
    rates.push_back(*pair.rate);
    if (evidence.fails(pair) && !evidence.explains(pair)) result.unexplained.push_back(pair);
  }
  result.median = median_of(std::move(rates));
  result.unmeasured = ends_without_rate(ends, evidence.measured());
  return result;
}

}  // namespace rocert
