#include "host/netlink/attributes.h"

#include <gtest/gtest.h>

#include "unit/host/bytes_builder.h"

namespace rocert::netlink {
namespace {

TEST(Attributes, AreFoundByTypeAndSize) {
  const Buffer bytes = join({number<uint8_t>(1, 7), number<uint32_t>(2, 9000), attribute(3, text("eth0")),
                             attribute(0x8004, number<uint16_t>(1, 26)), attribute(5, Buffer{'a', 'b'})});
  const auto attributes = Attributes::parse(bytes);
  ASSERT_TRUE(attributes);
  EXPECT_EQ(attributes->get<uint8_t>(1), 7);
  EXPECT_EQ(attributes->get<uint32_t>(2), 9000u);
  EXPECT_EQ(attributes->get<uint8_t>(2), 9000 & 0xff);
  EXPECT_EQ(attributes->get<uint64_t>(2), std::nullopt);
  EXPECT_EQ(attributes->text(3), "eth0");
  EXPECT_EQ(attributes->text(5), "ab");
  EXPECT_EQ(attributes->nest(4)->get<uint16_t>(1), 26);
  EXPECT_FALSE(attributes->has(6));
  EXPECT_FALSE(attributes->nest(6));
}

TEST(Attributes, TheLastOfATypeCounts) {
  const Buffer bytes = join({number<uint32_t>(2, 1), number<uint32_t>(2, 2)});
  EXPECT_EQ(Attributes::parse(bytes)->get<uint32_t>(2), 2u);
}

TEST(Attributes, LyingLengthsAreNothing) {
  EXPECT_FALSE(Attributes::parse(Buffer{3, 0, 1, 0}));              // shorter than its own header
  EXPECT_FALSE(Attributes::parse(Buffer{9, 0, 1, 0, 1, 2, 3, 4}));  // longer than what is there
  EXPECT_FALSE(Attributes::parse_after(Buffer{1, 2}, 4));
  EXPECT_TRUE(Attributes::parse(Buffer{}));
  EXPECT_TRUE(Attributes::parse(Buffer{5, 0, 1, 0, 1}));  // the padding of the last one may be missing
}

TEST(Attributes, AddressesAndHexadecimal) {
  EXPECT_EQ(address_of(Buffer{198, 18, 0, 1}), parse_ip("198.18.0.1"));
  EXPECT_FALSE(address_of(Buffer{198, 18, 0}));
  EXPECT_EQ(hex_of(Buffer{2, 0, 0xab}, ':'), "02:00:ab");
  EXPECT_EQ(hex_of(Buffer{2, 0, 0xab}, '\0'), "0200ab");
}

}  // namespace
}  // namespace rocert::netlink
