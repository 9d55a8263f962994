#include "probe/counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "host/memory_host.h"

namespace rocert {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const End kEnd{.netdev = "eth2", .rdma_device = "mlx5_2"};

TEST(ReadCounters, TakesBothSourcesUnderTheirPrefix) {
  MemoryHost host;
  host.objects[StatisticsOf{"eth2"}] = KernelAnswer(Counters{{"rx_prio3_packets", 5}});
  host.objects[RdmaStatisticsOf{"mlx5_2", 1}] = KernelAnswer(Counters{{"out_of_sequence", 2}});
  const CounterReading reading = read_counters(host, kEnd);
  EXPECT_THAT(reading.values, ElementsAre(Pair("ethtool.rx_prio3_packets", 5), Pair("rdma.out_of_sequence", 2)));
  EXPECT_THAT(reading.gaps, IsEmpty());
}

TEST(ReadCounters, AMissingSourceIsAGapAndNotZero) {
  MemoryHost host;
  host.objects[StatisticsOf{"eth2"}] = KernelAnswer(Counters{{"rx_packets", 5}});
  const CounterReading reading = read_counters(host, kEnd);
  EXPECT_EQ(reading.values.size(), 1u);
  ASSERT_EQ(reading.gaps.size(), 1u);
  EXPECT_EQ(reading.gaps[0].reason, GapReason::kAbsent);
}

std::map<std::string, int64_t> moved(const Counters& before, const Counters& after,
                                     std::span<const std::string_view> narrow = {}) {
  return delta({.values = before}, {.values = after}, narrow).moved;
}

TEST(Delta, KeepsWhatMoved) {
  EXPECT_THAT(moved({{"a", 1}, {"b", 2}}, {{"a", 1}, {"b", 7}}), ElementsAre(Pair("b", 5)));
}

TEST(Delta, NamesWhatDidNotAnswerOnce) {
  const CounterReading whole{.values = {{"a", 1}}};
  const CounterReading half{.values = {{"a", 2}}, .gaps = {{GapReason::kDenied, "rdma"}}};
  EXPECT_EQ(delta(whole, half), (CounterDeltas{.moved = {{"a", 1}}, .missing = {"denied: rdma"}}));
  EXPECT_THAT(delta(half, half).missing, ElementsAre("denied: rdma"));
}

TEST(Delta, LeavesOutWhatOneReadingLacks) { EXPECT_THAT(moved({{"gone", 1}}, {{"new", 7}}), IsEmpty()); }

TEST(Delta, AResetShowsBelowZero) { EXPECT_THAT(moved({{"a", 100}}, {{"a", 3}}), ElementsAre(Pair("a", -97))); }

TEST(Delta, ANarrowCounterWraps) {
  constexpr std::array<std::string_view, 1> narrow{"rdma.*"};
  EXPECT_THAT(moved({{"rdma.x", 0xfffffffe}, {"ethtool.x", 0xfffffffe}}, {{"rdma.x", 3}, {"ethtool.x", 3}}, narrow),
              ElementsAre(Pair("ethtool.x", 3 - int64_t{0xfffffffe}), Pair("rdma.x", 5)));
}

TEST(Delta, ACounterAbove32BitsIsNotTakenForNarrow) {
  constexpr std::array<std::string_view, 1> narrow{"*"};
  EXPECT_THAT(moved({{"a", 0x1'0000'0005}}, {{"a", 1}}, narrow), ElementsAre(Pair("a", 1 - int64_t{0x1'0000'0005})));
}

TEST(Delta, AWide64BitCounterWrapsByItself) {
  EXPECT_THAT(moved({{"a", std::numeric_limits<uint64_t>::max()}}, {{"a", 1}}), ElementsAre(Pair("a", 2)));
}

}  // namespace
}  // namespace rocert
