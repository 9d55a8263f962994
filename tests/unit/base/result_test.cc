#include "base/result.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(ErrorKind::kUsage, "odd");
  return value / 2;
}

Result<> only_even(int value) {
  TRY(half(value));
  return {};
}

Result<int> quarter(int value) { return TRY(half(TRY(half(value)))); }

TEST(Result, TryUnwrapsOrReturnsTheError) {
  EXPECT_EQ(quarter(8).value(), 2);
  EXPECT_EQ(quarter(6).error().message, "odd");
  EXPECT_TRUE(only_even(2));
  EXPECT_EQ(only_even(3).error().kind, ErrorKind::kUsage);
}

TEST(Result, PrintsAnErrorWithItsPlace) {
  EXPECT_EQ(to_text(Error{ErrorKind::kMalformed, "no", {}}), "no");
  EXPECT_EQ(to_text(Error{ErrorKind::kMalformed, "no", {"a.yaml", 0, 0}}), "a.yaml: no");
  EXPECT_EQ(to_text(Error{ErrorKind::kMalformed, "no", {"a.yaml", 3, 0}}), "a.yaml:3: no");
  EXPECT_EQ(to_text(Error{ErrorKind::kMalformed, "no", {"a.yaml", 3, 7}}), "a.yaml:3:7: no");
}

}  // namespace
}  // namespace rocert
