#include "base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace rocert {
namespace {

TEST(Text, TrimsAndSplits) {
  EXPECT_EQ(trim(" \t x y\r\n"), "x y");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(split_words("  a \t b\n"), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_TRUE(split_words(" ").empty());
}

TEST(Text, ParsesNumbersWholeOrNotAtAll) {
  EXPECT_EQ(parse_int("-12"), -12);
  EXPECT_EQ(parse_int("12 "), std::nullopt);
  EXPECT_EQ(parse_int("+1"), std::nullopt);
  EXPECT_EQ(parse_int(""), std::nullopt);
  EXPECT_EQ(parse_int("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_unsigned("0x1f"), 31u);
  EXPECT_EQ(parse_unsigned("0x"), std::nullopt);
  EXPECT_EQ(parse_unsigned("-1"), std::nullopt);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(parse_unsigned("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_decimal("0.95"), 0.95);
  EXPECT_EQ(parse_decimal("1e3"), std::nullopt);
  EXPECT_EQ(parse_decimal(".5"), std::nullopt);
  EXPECT_EQ(parse_decimal("nan"), std::nullopt);
}

TEST(Text, MatchesGlobsOverTheWholeText) {
  EXPECT_TRUE(matches_glob("ens9*", "ens9f0np0"));
  EXPECT_FALSE(matches_glob("ens9*", "xens9"));
  EXPECT_TRUE(matches_glob("n1[0-9]", "n17"));
  EXPECT_FALSE(matches_glob("n1[0-9]", "n1a"));
  EXPECT_FALSE(matches_glob("n1[0-9]", "n170"));
  EXPECT_TRUE(matches_glob("n1[!0-9]", "n1a"));
  EXPECT_TRUE(matches_glob("*a*b*", "xxaxxbxx"));
  EXPECT_FALSE(matches_glob("a?c", "ac"));
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_FALSE(matches_glob("", "a"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("[]]", "]"));
  EXPECT_FALSE(matches_glob("[a", "a")) << "a class without its end matches nothing";
}

TEST(Text, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(escaped("n1 \x1b[31m"), "n1 \\x1b[31m");
  EXPECT_EQ(escaped("a\nb"), "a\\x0ab");
  EXPECT_EQ(escaped("grün"), "grün");
  EXPECT_EQ(escaped("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(escaped("\xc2\x9b"), "\\xc2\\x9b") << "a C1 control is a terminal escape too";
  EXPECT_EQ(escaped("abcdef", 3), "abc...");
  EXPECT_EQ(escaped("abc", 3), "abc");
}

TEST(Text, SuggestsOnlyWhatIsNear) {
  const std::array<std::string, 3> words{"priority", "lossless", "dscp"};
  EXPECT_EQ(nearest("priorty", words), "priority");
  EXPECT_EQ(nearest("dcsp", words), "dscp");
  EXPECT_EQ(nearest("bandwidth", words), std::nullopt);
}

}  // namespace
}  // namespace rocert
