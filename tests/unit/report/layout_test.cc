#include "report/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rocert {
namespace {

using testing::ElementsAre;

TEST(Layout, CountsCodePointsAsColumns) {
  EXPECT_EQ(columns("n17 · µs"), 8U);
  EXPECT_EQ(left("·", 3), "·  ");
  EXPECT_EQ(right("·", 3), "  ·");
  EXPECT_EQ(left("longer", 3), "longer");
}

TEST(Layout, WrapsAtBlanksAndKeepsLongWordsWhole) {
  EXPECT_THAT(wrap("one two  three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrap("a verylongword b", 5), ElementsAre("a", "verylongword", "b"));
  EXPECT_TRUE(wrap("  ", 10).empty());
}

TEST(Layout, LabelsTheFirstLineOnly) {
  EXPECT_EQ(labelled(2, "hand", {"one", "two"}), "  hand    one\n          two\n");
  EXPECT_EQ(labelled(2, "hand", {}), "");
}

TEST(Layout, PaintsOnlyWhenAsked) {
  EXPECT_EQ(painted(false, Tone::kBad, "x"), "x");
  EXPECT_EQ(painted(true, Tone::kBad, "x"), "\x1b[1;31mx\x1b[0m");
}

}  // namespace
}  // namespace rocert
