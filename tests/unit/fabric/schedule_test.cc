#include "fabric/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace rocert {
namespace {

TEST(RoundRobin, FewerThanTwoEndsGiveNoRound) {
  EXPECT_TRUE(round_robin(0).empty());
  EXPECT_TRUE(round_robin(1).empty());
}

TEST(RoundRobin, TwoEndsMeetOnce) {
  const auto rounds = round_robin(2);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0], (Round{{0, 1}}));
}

class RoundRobinOf : public testing::TestWithParam<size_t> {};

TEST_P(RoundRobinOf, HasTheFewestRoundsThatAreFull) {
  const size_t ends = GetParam();
  const auto rounds = round_robin(ends);
  EXPECT_EQ(rounds.size(), ends % 2 == 0 ? ends - 1 : ends);
  for (const Round& round : rounds) EXPECT_EQ(round.size(), ends / 2);
}

TEST_P(RoundRobinOf, NoEndTakesPartTwiceInARound) {
  for (const Round& round : round_robin(GetParam())) {
    std::set<size_t> busy;
    for (const auto& [from, to] : round) {
      EXPECT_LT(from, GetParam());
      EXPECT_LT(to, GetParam());
      EXPECT_TRUE(busy.insert(from).second) << from;
      EXPECT_TRUE(busy.insert(to).second) << to;
    }
  }
}

TEST_P(RoundRobinOf, EveryPairMeetsExactlyOnce) {
  const size_t ends = GetParam();
  std::set<Pairing> met;
  for (const Round& round : round_robin(ends)) {
    for (const auto& [from, to] : round) {
      EXPECT_TRUE(met.insert(std::minmax(from, to)).second) << from << " and " << to;
    }
  }
  EXPECT_EQ(met.size(), ends * (ends - 1) / 2);
}

// The bad direction of a port shows only where an end both sends and receives.
TEST_P(RoundRobinOf, EveryEndSendsAboutAsOftenAsItReceives) {
  const size_t ends = GetParam();
  std::vector<int> balance(ends);
  for (const Round& round : round_robin(ends)) {
    for (const auto& [from, to] : round) {
      ++balance[from];
      --balance[to];
    }
  }
  for (size_t end = 0; end < ends; ++end) EXPECT_LE(std::abs(balance[end]), 1) << end;
}

INSTANTIATE_TEST_SUITE_P(Ends, RoundRobinOf, testing::Range<size_t>(2, 66));

}  // namespace
}  // namespace rocert
