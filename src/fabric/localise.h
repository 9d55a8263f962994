// Tells which ends are behind slow pairs, from the rates of all pairs of one rail: pure. A pair is as fast as the
// slowest of its two ends and the path between, so one fast pair proves both of its ends, and an end whose pairs with
// proven ends are all slow is itself the cause.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/fields.h"

namespace rocert {

// One measured pair. Higher is better; a pair whose traffic failed (no acknowledgement, damaged data) has the rate 0.
// No rate: the pair could not be tried (a worker died), which accuses neither end.
struct PairRate {
  size_t from = 0;  // the end that sent the data
  size_t to = 0;
  std::optional<double> rate;
  bool operator==(const PairRate&) const = default;
};

enum class Pattern { kEveryPair, kEverySent, kEveryReceived, kMostPairs };
template <>
struct Words<Pattern> {
  static constexpr std::array<std::pair<Pattern, std::string_view>, 4> values{
      {{Pattern::kEveryPair, "every pair"},
       {Pattern::kEverySent, "every pair that it sends to"},
       {Pattern::kEveryReceived, "every pair that it receives from"},
       {Pattern::kMostPairs, "most pairs"}}};
};

// An end that the evidence points at. Counts and figures are of the pairs that the pattern speaks of.
struct SuspectEnd {
  size_t end = 0;
  Pattern pattern = Pattern::kEveryPair;
  size_t failed = 0;    // pairs below the floor
  size_t measured = 0;  // pairs with a rate
  double best = 0;      // the end's own rate, at least
  double median = 0;
  bool operator==(const SuspectEnd&) const = default;
};

struct Localisation {
  std::vector<SuspectEnd> suspects;   // by end
  std::vector<PairRate> unexplained;  // below the floor without a suspect end: a path, or too little evidence
  std::vector<size_t> unmeasured;     // ends without any rate
  double median = 0;                  // of all rates; 0 without any
  bool operator==(const Localisation&) const = default;
};

// `ends` is how many there are; pairs that name others are left out. A rate below the floor fails.
// Two failing pairs with proven ends are needed for kEveryPair, so two ends alone cannot be told apart, and a single
// bad path names nobody. Directions and kMostPairs (three of four) need three, as they are weaker evidence.
Localisation localise(size_t ends, std::span<const PairRate> pairs, double floor);

}  // namespace rocert
