#include "lane.h"

#include <gtest/gtest.h>

namespace rocert::lab {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

SharedPacket packet_of(std::size_t size) { return std::make_shared<const Packet>(size); }

TEST(Lane, PassesAtOnceWithoutRateAndFaults) {
  Lane lane(0, 10'000, 1);
  lane.offer(packet_of(100), milliseconds(5));
  ASSERT_EQ(lane.next_departure(), milliseconds(5));
  EXPECT_EQ(lane.pop(milliseconds(5))->size(), 100u);
  EXPECT_FALSE(lane.next_departure());
  EXPECT_EQ(lane.counters().frames, 1u);
  EXPECT_EQ(lane.counters().bytes, 100u);
}

// Frames that leave when they may, over a second, add up to the rate.
TEST(Lane, KeepsItsRate) {
  Lane lane(8'000'000, 100'000'000, 1);  // a megabyte a second
  for (int i = 0; i < 3000; i++) lane.offer(packet_of(1000), Nanoseconds(0));
  int left = 0;
  while (lane.next_departure() && *lane.next_departure() < std::chrono::seconds(1))
    lane.pop(*lane.next_departure()), left++;
  EXPECT_NEAR(left, 1000, 3);
}

TEST(Lane, MakesUpForALateWakeupButNotForIdleTime) {
  Lane lane(8'000'000, 100'000'000, 1);  // a frame of 1000 bytes a millisecond
  for (int i = 0; i < 50; i++) lane.offer(packet_of(1000), std::chrono::seconds(10));
  int at_once = 0;
  while (lane.next_departure() && *lane.next_departure() <= std::chrono::seconds(10))
    lane.pop(std::chrono::seconds(10)), at_once++;
  EXPECT_LE(at_once, 2);
}

TEST(Lane, DropsAtTheTailWhenFull) {
  Lane lane(8'000, 2'500, 1);
  for (int i = 0; i < 5; i++) lane.offer(packet_of(1000), Nanoseconds(0));
  EXPECT_EQ(lane.counters().dropped_by_queue, 3u);
  lane.pop(*lane.next_departure());
  lane.offer(packet_of(1000), Nanoseconds(0));
  EXPECT_EQ(lane.counters().dropped_by_queue, 3u);
}

TEST(Lane, DropsTheShareAndTheSameFramesForTheSameSeed) {
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t seed : {7, 7, 8}) {
    Lane lane(0, 1 << 30, seed);
    lane.faults.drop = 0.05;
    std::uint64_t fingerprint = 0;
    for (int i = 0; i < 100'000; i++) {
      const std::uint64_t before = lane.counters().dropped_by_share;
      lane.offer(packet_of(60), Nanoseconds(0));
      fingerprint = fingerprint * 31 + (lane.counters().dropped_by_share - before);
    }
    EXPECT_NEAR(static_cast<double>(lane.counters().dropped_by_share), 5000, 300);
    counts.push_back(fingerprint);
  }
  EXPECT_EQ(counts[0], counts[1]);
  EXPECT_NE(counts[0], counts[2]);
}

TEST(Lane, DropsNothingAtZeroAndAllAtOne) {
  Lane lane(0, 1 << 20, 1);
  for (int i = 0; i < 1000; i++) lane.offer(packet_of(60), Nanoseconds(0));
  EXPECT_EQ(lane.counters().dropped_by_share, 0u);
  lane.faults.drop = 1;
  for (int i = 0; i < 1000; i++) lane.offer(packet_of(60), Nanoseconds(0));
  EXPECT_EQ(lane.counters().dropped_by_share, 1000u);
}

TEST(Lane, DelaysWithoutReordering) {
  Lane lane(0, 1 << 20, 1);
  lane.faults.delay = milliseconds(5);
  lane.offer(packet_of(60), milliseconds(1));
  lane.faults.delay = Nanoseconds(0);
  lane.offer(packet_of(61), milliseconds(2));
  EXPECT_EQ(lane.next_departure(), milliseconds(6));
  EXPECT_EQ(lane.pop(milliseconds(6))->size(), 60u);
  EXPECT_EQ(lane.next_departure(), milliseconds(6));
}

TEST(Lane, AFaultyRateReplacesItsOwn) {
  Lane lane(0, 1 << 20, 1);
  lane.faults.rate = 8'000'000;
  for (int i = 0; i < 10; i++) lane.offer(packet_of(1000), Nanoseconds(0));
  Nanoseconds last{};
  while (const auto due = lane.next_departure()) lane.pop(last = *due);
  EXPECT_GE(last, milliseconds(7));
  EXPECT_LE(last, milliseconds(9));
}

TEST(Lane, CutAndMtu) {
  Lane lane(0, 1 << 20, 1);
  lane.faults.mtu = 1500;
  lane.offer(packet_of(1500 + kEthernetHeader), Nanoseconds(0));
  lane.offer(packet_of(1501 + kEthernetHeader), Nanoseconds(0));
  EXPECT_EQ(lane.counters().dropped_by_mtu, 1u);
  lane.faults.cut = true;
  lane.offer(packet_of(60), Nanoseconds(0));
  EXPECT_EQ(lane.counters().dropped_by_cut, 1u);
}

}  // namespace
}  // namespace rocert::lab
