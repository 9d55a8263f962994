#include "fabric/localise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "fabric/schedule.h"

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kGood = 390e9;
constexpr double kBad = 212e9;
constexpr double kFloor = 360e9;

// All pairs once, as the schedule runs them; every rate is what `rate_of(from, to)` says.
template <class RateOf>
std::vector<PairRate> all_pairs(size_t ends, RateOf rate_of) {
  std::vector<PairRate> pairs;
  for (const Round& round : round_robin(ends)) {
    for (const auto& [from, to] : round) pairs.push_back({from, to, rate_of(from, to)});
  }
  return pairs;
}

std::vector<size_t> names(const Localisation& found) {
  std::vector<size_t> ends;
  for (const SuspectEnd& suspect : found.suspects) ends.push_back(suspect.end);
  return ends;
}

TEST(Localise, AGoodRailNamesNobody) {
  const auto found = localise(8, all_pairs(8, [](size_t, size_t) { return kGood; }), kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  EXPECT_THAT(found.unexplained, IsEmpty());
  EXPECT_THAT(found.unmeasured, IsEmpty());
  EXPECT_EQ(found.median, kGood);
}

TEST(Localise, OneSlowEndIsNamedWithItsEvidence) {
  const auto found =
      localise(4, all_pairs(4, [](size_t from, size_t to) { return from == 2 || to == 2 ? kBad : kGood; }), kFloor);
  EXPECT_THAT(found.suspects,
              ElementsAre(SuspectEnd{
                  .end = 2, .pattern = Pattern::kEveryPair, .failed = 3, .measured = 3, .best = kBad, .median = kBad}));
  EXPECT_THAT(found.unexplained, IsEmpty());
  EXPECT_EQ(found.median, (kGood + kBad) / 2);
}

TEST(Localise, ARateAtTheFloorPasses) {
  const auto found = localise(4, all_pairs(4, [](size_t, size_t) { return kFloor; }), kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  EXPECT_THAT(found.unexplained, IsEmpty());
}

TEST(Localise, ASlowPathBetweenProvenEndsIsUnexplained) {
  const auto found = localise(
      4, all_pairs(4, [](size_t from, size_t to) { return std::min(from, to) == 0 && from + to == 3 ? kBad : kGood; }),
      kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  ASSERT_EQ(found.unexplained.size(), 1u);
  EXPECT_EQ(std::minmax(found.unexplained[0].from, found.unexplained[0].to), std::minmax<size_t>(0, 3));
}

TEST(Localise, TwoEndsAloneCannotBeToldApart) {
  const auto found = localise(2, std::vector<PairRate>{{0, 1, kBad}}, kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  EXPECT_THAT(found.unexplained, ElementsAre(PairRate{0, 1, kBad}));
}

TEST(Localise, WithoutAProvenEndNobodyIsNamed) {
  const auto found = localise(6, all_pairs(6, [](size_t, size_t) { return kBad; }), kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  EXPECT_EQ(found.unexplained.size(), 15u);
}

TEST(Localise, PairsOfADeadPeerAccuseNobody) {
  const auto found = localise(4,
                              all_pairs(4,
                                        [](size_t from, size_t to) -> std::optional<double> {
                                          if (from == 1 || to == 1) return std::nullopt;
                                          return kGood;
                                        }),
                              kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  EXPECT_THAT(found.unexplained, IsEmpty());
  EXPECT_THAT(found.unmeasured, ElementsAre(1));
}

TEST(Localise, ALivingEndWhoseOnlyMeasuredPairsPassIsNotAccusedByGaps) {
  const auto found =
      localise(3, std::vector<PairRate>{{0, 1, kGood}, {1, 2, std::nullopt}, {2, 0, std::nullopt}}, kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  EXPECT_THAT(found.unmeasured, ElementsAre(2));
}

TEST(Localise, AnEndThatOnlyReceivesSlowlyIsNamedSo) {
  const auto found = localise(8, all_pairs(8, [](size_t, size_t to) { return to == 5 ? kBad : kGood; }), kFloor);
  ASSERT_EQ(names(found), std::vector<size_t>{5});
  EXPECT_EQ(found.suspects[0].pattern, Pattern::kEveryReceived);
  EXPECT_EQ(found.suspects[0].failed, found.suspects[0].measured);
  EXPECT_THAT(found.unexplained, IsEmpty());
}

TEST(Localise, AnEndThatOnlySendsSlowlyIsNamedSo) {
  const auto found = localise(8, all_pairs(8, [](size_t from, size_t) { return from == 5 ? kBad : kGood; }), kFloor);
  ASSERT_EQ(names(found), std::vector<size_t>{5});
  EXPECT_EQ(found.suspects[0].pattern, Pattern::kEverySent);
}

TEST(Localise, AnEndThatFailsMostPairsIsNamedThoughSomePass) {
  size_t seen = 0;
  const auto found = localise(64,
                              all_pairs(64,
                                        [&](size_t from, size_t to) {
                                          if (from != 41 && to != 41) return kGood;
                                          return ++seen % 30 == 0 ? kGood : kBad;  // two of its 63 pairs
                                        }),
                              kFloor);
  ASSERT_EQ(names(found), std::vector<size_t>{41});
  EXPECT_EQ(found.suspects[0].pattern, Pattern::kMostPairs);
  EXPECT_EQ(found.suspects[0].failed, 61u);
  EXPECT_EQ(found.suspects[0].measured, 63u);
  EXPECT_THAT(found.unexplained, IsEmpty());
}

// Half of the pairs of every end cross the cut: no end is the cause.
TEST(Localise, ACutBetweenTwoHalvesNamesNobody) {
  const auto found =
      localise(16, all_pairs(16, [](size_t from, size_t to) { return (from < 8) == (to < 8) ? kGood : kBad; }), kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  EXPECT_EQ(found.unexplained.size(), 64u);
}

TEST(Localise, PairsOfUnknownEndsAndOfAnEndWithItselfAreLeftOut) {
  const auto found = localise(2, std::vector<PairRate>{{0, 7, kBad}, {1, 1, kBad}, {0, 1, kGood}}, kFloor);
  EXPECT_THAT(found.unexplained, IsEmpty());
  EXPECT_EQ(found.median, kGood);
}

TEST(Localise, NothingMeasuredIsNothingSaid) {
  const auto found = localise(3, {}, kFloor);
  EXPECT_THAT(found.suspects, IsEmpty());
  EXPECT_THAT(found.unmeasured, ElementsAre(0, 1, 2));
  EXPECT_EQ(found.median, 0);
}

// A fabric with planted faults: bad ends, bad paths (at most one an end) and dead ends, over measured noise.
struct Planted {
  size_t ends = 0;
  std::set<size_t> bad;
  std::set<size_t> dead;
  std::set<Pairing> paths;
  std::vector<PairRate> pairs;
};

Planted plant(size_t ends, std::mt19937& random) {
  std::vector<size_t> order(ends);
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  Planted planted{.ends = ends};
  size_t next = 0;
  const size_t bad = random() % (ends / 4 + 1);
  const size_t dead = ends >= 8 ? random() % (ends / 8 + 1) : 0;
  while (planted.bad.size() < bad) planted.bad.insert(order[next++]);
  while (planted.dead.size() < dead) planted.dead.insert(order[next++]);
  for (size_t left = random() % 4; left > 0 && ends - next >= 4; --left, next += 2) {
    planted.paths.insert(std::minmax(order[next], order[next + 1]));
  }
  std::uniform_real_distribution<double> share(0.97, 1.0);
  planted.pairs = all_pairs(ends, [&](size_t from, size_t to) -> std::optional<double> {
    if (planted.dead.contains(from) || planted.dead.contains(to)) return std::nullopt;
    const bool slow =
        planted.bad.contains(from) || planted.bad.contains(to) || planted.paths.contains(std::minmax(from, to));
    return (slow ? kBad : kGood) * share(random);
  });
  return planted;
}

class LocaliseOf : public testing::TestWithParam<size_t> {};

TEST_P(LocaliseOf, NamesEveryPlantedEndAndNoOther) {
  const unsigned seeds = GetParam() <= 16 ? 30 : 4;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Planted planted = plant(GetParam(), random);
    const Localisation found = localise(planted.ends, planted.pairs, kFloor);
    SCOPED_TRACE(testing::Message() << planted.ends << " ends, seed " << seed);
    ASSERT_EQ(names(found), std::vector<size_t>(planted.bad.begin(), planted.bad.end()));
    EXPECT_EQ(found.unmeasured, std::vector<size_t>(planted.dead.begin(), planted.dead.end()));
    std::set<Pairing> paths;
    for (const PairRate& pair : found.unexplained) paths.insert(std::minmax(pair.from, pair.to));
    EXPECT_EQ(paths, planted.paths);
    for (const SuspectEnd& suspect : found.suspects) {
      EXPECT_EQ(suspect.pattern, Pattern::kEveryPair);
      EXPECT_LT(suspect.best, kFloor);
      EXPECT_EQ(suspect.failed, suspect.measured);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, LocaliseOf, testing::Range<size_t>(4, 65));

}  // namespace
}  // namespace rocert
