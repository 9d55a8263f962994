#include "probe/gid_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_verbs.h"

namespace rocert {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;

Result<GidChoice> find_among(std::vector<FakeGid> gids, const std::string& address, const std::string& netdev = "lo") {
  const auto entries = static_cast<uint32_t>(gids.size());
  FakeFabric fabric({{.name = "fake0", .gids = std::move(gids)}});
  const auto device = open_device(fabric.verbs(), "fake0");
  return find_gid(fabric.verbs(), **device, {.netdev = netdev, .rdma_device = "fake0", .gid = address}, entries);
}

TEST(FindGid, GoesByTheAddressWhereverItIs) {
  const auto found =
      find_among({{.address = "fe80::1"}, {.populated = false}, {.address = "198.18.0.1"}}, "198.18.0.1");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->index, 2u);
  EXPECT_EQ(found->gid, (std::array<uint8_t, 16>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 198, 18, 0, 1}));
}

TEST(FindGid, TakesVersionTwoOfTheSameAddress) {
  const auto found =
      find_among({{.address = "198.18.0.1", .type = IBV_GID_TYPE_ROCE_V1}, {.address = "198.18.0.1"}}, "198.18.0.1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, 1u);
}

TEST(FindGid, TakesThatOfTheNetdevWhereSeveralHaveTheAddress) {
  const auto found =
      find_among({{.address = "fd00::1", .netdev = ""}, {.address = "fd00::1", .netdev = "lo"}}, "fd00::1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, 1u);
}

TEST(FindGid, TakesTheOnlyOneOfANetdevAboveThePort) {
  const auto found = find_among({{.address = "fd00::1"}}, "fd00::1", "nosuch0");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, 0u);
}

TEST(FindGid, DoesNotGuessBetweenOthersNetdevs) {
  const auto found =
      find_among({{.address = "fd00::1", .netdev = ""}, {.address = "fd00::1", .netdev = "lo"}}, "fd00::1", "nosuch0");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, AllOf(HasSubstr("several netdevs"), HasSubstr("on lo (index 1)")));
}

TEST(FindGid, AVersionOneEntryAloneIsNotEnough) {
  const auto found = find_among({{.address = "198.18.0.1", .type = IBV_GID_TYPE_ROCE_V1}}, "198.18.0.1");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message,
              AllOf(HasSubstr("no RoCE v2 GID for 198.18.0.1"), HasSubstr("198.18.0.1 RoCE v1 on lo (index 0)")));
}

TEST(FindGid, AnEmptyTableIsSaidSo) {
  EXPECT_THAT(find_among({{.populated = false}}, "198.18.0.1").error().message, HasSubstr("it has nothing"));
}

TEST(FindGid, WhatIsNoAddressIsRefused) {
  const auto found = find_among({{.address = "198.18.0.1"}}, "198.18.0");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace rocert
