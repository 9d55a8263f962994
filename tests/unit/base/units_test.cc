#include "base/units.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

using std::chrono::nanoseconds;

TEST(Units, ParsesBandwidthInPowersOfTen) {
  EXPECT_EQ(parse_bandwidth("400G"), (Bandwidth{400e9}));
  EXPECT_EQ(parse_bandwidth("2.5Gb/s"), (Bandwidth{2.5e9}));
  EXPECT_EQ(parse_bandwidth("800M"), (Bandwidth{800e6}));
  for (const char* bad : {"", "G", "400", "-1G", "400g", "400G ", "1e3G", "200T"}) {
    EXPECT_EQ(parse_bandwidth(bad), std::nullopt) << bad;
  }
}

TEST(Units, PrintsBandwidthAsItIsParsed) {
  EXPECT_EQ(to_text(Bandwidth{400e9}), "400G");
  EXPECT_EQ(to_text(Bandwidth{212.43e9}), "212.4G");
  EXPECT_EQ(to_text(Bandwidth{12.5e6}), "12.5M");
  EXPECT_EQ(to_text(Bandwidth{1.6e12}), "1.6T");
}

TEST(Units, ParsesBytesInPowersOfTwo) {
  EXPECT_EQ(parse_bytes("64K"), (Bytes{65536}));
  EXPECT_EQ(parse_bytes("8MiB"), (Bytes{8u << 20}));
  EXPECT_EQ(parse_bytes("4096"), (Bytes{4096}));
  EXPECT_EQ(parse_bytes("0.5"), std::nullopt);
  EXPECT_EQ(parse_bytes("64k"), std::nullopt);
  EXPECT_EQ(to_text(Bytes{65536}), "64KiB");
  EXPECT_EQ(to_text(Bytes{1000}), "1000B");
}

TEST(Units, ParsesDurations) {
  EXPECT_EQ(parse_duration("8us"), nanoseconds(8'000));
  EXPECT_EQ(parse_duration("1.5ms"), nanoseconds(1'500'000));
  EXPECT_EQ(parse_duration("2h"), nanoseconds(7'200'000'000'000));
  for (const char* bad : {"", "8", "us", "-1s", "8 parsec", "99999999999999h"})
    EXPECT_EQ(parse_duration(bad), std::nullopt) << bad;
  EXPECT_EQ(to_text(nanoseconds(8'000)), "8us");
  EXPECT_EQ(to_text(nanoseconds(1'234'000)), "1.234ms");
}

}  // namespace
}  // namespace rocert
