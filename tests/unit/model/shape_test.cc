#include "model/shape.h"

#include <gtest/gtest.h>

#include <array>

namespace rocert {
namespace {

constexpr std::array<std::string_view, 3> kWords{"off", "strict", "loose"};
const Shape kFlag = FlagShape{};
const Shape kMtu = NumberShape{68, 65535, Unit::kBytes};
const Shape kPlain = NumberShape{-5, 7};
const Shape kRatio = NumberShape{0, 1, Unit::kRatio};
const Shape kTimes = NumberShape{1, 100, Unit::kRatio};
const Shape kLatency = NumberShape{0, 1'000'000'000, Unit::kDuration};
const Shape kRate = NumberShape{1'000'000, 100'000'000'000'000, Unit::kBandwidth};
const Shape kShare = NumberShape{0, 100, Unit::kPercent};
const Shape kChoice = ChoiceShape{kWords};
const Shape kPriorities = PrioritiesShape{};
const Shape kDscps = MapShape{64, 8};

// Canonical text of what was parsed, or the error.
std::string canonical(const Shape& shape, std::string_view text) {
  const auto value = parse_value(shape, text);
  return value ? to_text(*value) : "error: " + value.error().message;
}

TEST(ParseValue, TakesFlags) {
  EXPECT_EQ(parse_value(kFlag, "on"), Value(true));
  EXPECT_EQ(parse_value(kFlag, "true"), Value(true));
  EXPECT_EQ(parse_value(kFlag, "off"), Value(false));
  EXPECT_EQ(canonical(kFlag, "yes"), "error: seen \"yes\", wanted on or off");
}

TEST(ParseValue, TakesNumbersWithinTheirRange) {
  EXPECT_EQ(parse_value(kMtu, "4192"), Value(int64_t{4192}));
  EXPECT_EQ(parse_value(kMtu, "4K"), Value(int64_t{4096}));
  EXPECT_EQ(parse_value(kPlain, "-5"), Value(int64_t{-5}));
  EXPECT_EQ(parse_value(kShare, "50%"), Value(int64_t{50}));
  EXPECT_EQ(parse_value(kShare, "50"), Value(int64_t{50}));
  EXPECT_EQ(canonical(kMtu, "67"), "error: seen \"67\", wanted a number from 68 to 65535 (bytes)");
  EXPECT_EQ(canonical(kMtu, "65536"), "error: seen \"65536\", wanted a number from 68 to 65535 (bytes)");
  EXPECT_EQ(canonical(kPlain, "8"), "error: seen \"8\", wanted a number from -5 to 7");
  for (const char* text : {"", " 1", "1 ", "1.0", "0x1", "one"}) EXPECT_FALSE(parse_value(kPlain, text)) << text;
}

TEST(ParseValue, HoldsRatiosDurationsAndBandwidthsInCanonicalText) {
  EXPECT_EQ(parse_value(kRatio, "0.90"), Value(std::string("0.9")));
  EXPECT_EQ(parse_value(kRatio, "1"), Value(std::string("1")));
  EXPECT_EQ(parse_value(kRatio, "0.0000009"), Value(std::string("0.000001")));
  EXPECT_EQ(parse_value(kLatency, "8us"), Value(std::string("8us")));
  EXPECT_EQ(parse_value(kLatency, "0.008ms"), Value(std::string("8us")));
  EXPECT_EQ(parse_value(kLatency, "1.5us"), Value(std::string("1500ns")));
  EXPECT_EQ(parse_value(kLatency, "0s"), Value(std::string("0ns")));
  EXPECT_EQ(parse_value(kRate, "50M"), Value(std::string("50M")));
  EXPECT_EQ(parse_value(kRate, "0.4T"), Value(std::string("400G")));
  EXPECT_EQ(parse_value(kRate, "2500 Mb/s"), Value(std::string("2.5G")));
  EXPECT_EQ(parse_value(kRate, "212.456789123G"), Value(std::string("212.456789123G")));
}

TEST(ParseValue, BoundsRatiosDurationsAndBandwidthsInTheirNaturalUnit) {
  EXPECT_EQ(canonical(kRatio, "1.01"), "error: seen \"1.01\", wanted a ratio from 0 to 1");
  EXPECT_EQ(canonical(kRatio, "90%"), "error: seen \"90%\", wanted a ratio from 0 to 1");
  EXPECT_EQ(canonical(kTimes, "0.5"), "error: seen \"0.5\", wanted a ratio from 1 to 100");
  EXPECT_EQ(canonical(kLatency, "8"), "error: seen \"8\", wanted a duration from 0ns to 1s with its unit, e.g. 8us");
  EXPECT_FALSE(parse_value(kLatency, "1001ms"));
  EXPECT_EQ(canonical(kRate, "0.5M"),
            "error: seen \"0.5M\", wanted a bandwidth from 1M to 100T with its unit, e.g. 400G");
}

TEST(ParseValue, TakesWordsAndNamesTheNearest) {
  EXPECT_EQ(parse_value(kChoice, "strict"), Value(std::string("strict")));
  EXPECT_EQ(canonical(kChoice, "lose"),
            "error: seen \"lose\", wanted one of off, strict, loose; did you mean \"loose\"?");
  EXPECT_EQ(canonical(kChoice, "everything"), "error: seen \"everything\", wanted one of off, strict, loose");
}

TEST(ParseValue, TakesPriorities) {
  EXPECT_EQ(parse_value(kPriorities, "none"), Value(Bits{0, 8}));
  EXPECT_EQ(parse_value(kPriorities, "3"), Value(Bits{0x08, 8}));
  EXPECT_EQ(parse_value(kPriorities, "4, 3"), Value(Bits{0x18, 8}));
  EXPECT_EQ(parse_value(kPriorities, "0,1"), Value(Bits{0x03, 8}));
  EXPECT_EQ(parse_value(kPriorities, "0,0,0,1,0,0,0,0"), Value(Bits{0x08, 8}));
  EXPECT_EQ(parse_value(kPriorities, "0,0,0,0,0,0,0,0"), Value(Bits{0, 8}));
  EXPECT_EQ(parse_value(kPriorities, "0,1,2,3,4,5,6,7"), Value(Bits{0xff, 8}));
  for (const char* text : {"", "8", "-1", "3,3", "3,", "0,0,0,1", "0,0,0,2,0,0,0,0", "3 4", "all"}) {
    EXPECT_FALSE(parse_value(kPriorities, text)) << text;
  }
}

TEST(ParseValue, TakesMaps) {
  EXPECT_EQ(parse_value(kDscps, "26:3 48:6"), Value(Table{{26, 3}, {48, 6}}));
  EXPECT_EQ(parse_value(kDscps, "48:6, 26:3"), Value(Table{{26, 3}, {48, 6}}));
  EXPECT_EQ(parse_value(kDscps, "none"), Value(Table{}));
  for (const char* text : {"", "26", "64:0", "0:8", "-1:0", "26:3 26:4", "26:", ":3", "26:3:4"}) {
    EXPECT_FALSE(parse_value(kDscps, text)) << text;
  }
}

TEST(ParseValue, CanonicalTextParsesToTheSameValue) {
  const std::array<std::pair<const Shape*, std::string_view>, 12> samples{{{&kFlag, "on"},
                                                                           {&kMtu, "9000"},
                                                                           {&kPlain, "-3"},
                                                                           {&kRatio, "0.123456"},
                                                                           {&kLatency, "7ms"},
                                                                           {&kLatency, "999999999ns"},
                                                                           {&kRate, "99.999999999999T"},
                                                                           {&kShare, "7"},
                                                                           {&kChoice, "off"},
                                                                           {&kPriorities, "3,4"},
                                                                           {&kPriorities, "none"},
                                                                           {&kDscps, "26:3 48:6"}}};
  for (const auto& [shape, text] : samples) {
    const auto value = parse_value(*shape, text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(parse_value(*shape, to_text(*value)), *value) << text;
  }
}

TEST(ParseValue, EscapesAndBoundsWhatItQuotes) {
  const std::string long_text(5000, 'x');
  const std::string message = parse_value(kChoice, "\x1b[31m" + long_text).error().message;
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_LT(message.size(), 200u);
}

TEST(Describe, SaysWhatIsTaken) {
  EXPECT_EQ(describe(kFlag), "on or off");
  EXPECT_EQ(describe(kShare), "a number from 0 to 100 (percent)");
  EXPECT_EQ(describe(kPriorities), "a set of priorities from 0 to 7: none, 3, or 3,4");
  EXPECT_EQ(describe(kDscps), "pairs KEY:VALUE, keys from 0 to 63 and values from 0 to 7, or none");
}

TEST(NumberOf, GivesTheNaturalUnit) {
  EXPECT_EQ(number_of(int64_t{4192}), 4192.0);
  EXPECT_EQ(number_of(std::string("0.9")), 0.9);
  EXPECT_EQ(number_of(std::string("8us")), 8000.0);
  EXPECT_EQ(number_of(std::string("50M")), 50e6);
  for (const Value& value :
       {Value(Absent{}), Value(true), Value(std::string("loose")), Value(Bits{}), Value(Table{})}) {
    EXPECT_EQ(number_of(value), std::nullopt) << to_text(value);
  }
}

TEST(Quantity, IsWhatTheShapeParses) {
  EXPECT_EQ(quantity(Unit::kRatio, 0.9), Value(std::string("0.9")));
  EXPECT_EQ(quantity(Unit::kDuration, 8000), Value(std::string("8us")));
  EXPECT_EQ(quantity(Unit::kBandwidth, 400e9), Value(std::string("400G")));
  EXPECT_EQ(quantity(Unit::kBytes, 4192), Value(int64_t{4192}));
}

}  // namespace
}  // namespace rocert
