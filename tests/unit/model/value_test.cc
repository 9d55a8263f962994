#include "model/value.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

TEST(Value, HasOneCanonicalText) {
  EXPECT_EQ(to_text(Value{Absent{}}), "none");
  EXPECT_EQ(to_text(Value{true}), "on");
  EXPECT_EQ(to_text(Value{int64_t{4200}}), "4200");
  EXPECT_EQ(to_text(Value{std::string("dscp")}), "dscp");
  EXPECT_EQ(to_text(Value{Bits{0x08, 8}}), "0,0,0,1,0,0,0,0");
  EXPECT_EQ(to_text(Value{Table{{26, 3}, {48, 6}}}), "26:3 48:6");
  EXPECT_EQ(to_text(Value{Table{}}), "none");
}

TEST(Value, NothingEqualsAnotherKind) {
  EXPECT_NE(Value{Absent{}}, Value{false});
  EXPECT_NE(Value{int64_t{0}}, Value{false});
}

}  // namespace
}  // namespace rocert
