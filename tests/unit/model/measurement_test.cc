#include "model/measurement.h"

#include <gmock/gmock.h>

namespace rocert {
namespace {

using testing::HasSubstr;
using testing::Not;

Measurement sample() {
  return {.probe = "write_bw",
          .rail = "198.18.1.0/24",
          .round = 3,
          .from = {.host = "n1", .netdev = "ens2np0", .rdma_device = "mlx5_1", .gid = "198.18.1.1", .gid_index = 3},
          .to = {.host = "n2", .netdev = "ens2np0", .rdma_device = "mlx5_1", .gid = "198.18.1.2", .speed = 400000},
          .traffic_class = "rdma",
          .traffic_class_byte = 106,
          .mtu = 4096,
          .figures = Figures{{"bits_per_second", 3.875e11}, {"bytes", 4.8e10}},
          .data_intact = true,
          .errors = {"n1 mlx5_1 (active): RETRY_EXC_ERR"},
          .from_counters = {.moved = {{"ethtool.tx_prio3_packets", 11719}}},
          .to_counters = {.moved = {{"rdma.out_of_sequence", -2}}, .missing = {"denied: statistics of ens1np0"}}};
}

TEST(Measurement, SurvivesItsOneLine) {
  const std::string line = encode_measurement(sample());
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  EXPECT_EQ(decode_measurement(line), sample());
}

TEST(Measurement, KeepsWhyThereAreNoFigures) {
  Measurement without = sample();
  without.figures = gap(GapReason::kTimedOut, "n2: no answer within 13s");
  const auto back = decode_measurement(encode_measurement(without));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->figures.error(), (Gap{GapReason::kTimedOut, "n2: no answer within 13s"}));
}

TEST(Measurement, OddBytesOfAHostDoNotBreakTheLine) {
  Measurement odd = sample();
  odd.errors = {"\xff\n"};
  EXPECT_TRUE(decode_measurement(encode_measurement(odd)));
}

TEST(Measurement, NamesWhatIsWrong) {
  const auto negative = decode_measurement(R"({"probe": "write_bw", "rail": "", "round": -1})");
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().kind, ErrorKind::kMalformed);
  EXPECT_THAT(negative.error().message, HasSubstr("round: seen -1"));
  std::string unknown = encode_measurement(sample());
  unknown.insert(1, R"("colour": 1, )");
  EXPECT_THAT(decode_measurement(unknown).error().message, HasSubstr("colour: unknown key"));
  EXPECT_FALSE(decode_measurement(""));
}

}  // namespace
}  // namespace rocert
