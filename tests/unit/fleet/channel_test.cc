#include "fleet/channel.h"

#include <gmock/gmock.h>

namespace rocert {
namespace {

using testing::HasSubstr;

std::string wire(std::initializer_list<std::string> payloads) {
  std::string bytes(kHello);
  for (const std::string& payload : payloads) bytes += encode_frame(payload);
  return bytes;
}

TEST(EncodeFrame, PutsTheLengthBigEndianBeforeThePayload) {
  EXPECT_EQ(encode_frame("abc"), std::string("\0\0\0\3abc", 7));
  EXPECT_EQ(encode_frame(std::string(0x010203, 'x')).substr(0, 4), std::string("\0\1\2\3", 4));
}

TEST(FrameReader, GivesWholePayloadsHoweverTheBytesArrive) {
  const std::string bytes = wire({"first", "", std::string(300, 'z')});
  for (size_t step = 1; step <= bytes.size(); ++step) {
    FrameReader reader;
    std::vector<std::string> seen;
    for (size_t at = 0; at < bytes.size(); at += step) {
      ASSERT_TRUE(reader.feed(std::string_view(bytes).substr(at, step)));
      while (auto payload = reader.next()) seen.push_back(*payload);
    }
    EXPECT_THAT(seen, testing::ElementsAre("first", "", std::string(300, 'z'))) << step;
    EXPECT_TRUE(reader.at_boundary());
  }
}

TEST(FrameReader, KnowsThatAFrameIsCutShort) {
  FrameReader reader;
  const std::string bytes = wire({"payload"});
  ASSERT_TRUE(reader.feed(std::string_view(bytes).substr(0, bytes.size() - 1)));
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_FALSE(reader.at_boundary());
}

TEST(FrameReader, NamesBothVersions) {
  FrameReader reader;
  const auto fed = reader.feed("rocert-fleet/2\n");
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().kind, ErrorKind::kMalformed);
  EXPECT_THAT(fed.error().message, HasSubstr("\"rocert-fleet/2\""));
  EXPECT_THAT(fed.error().message, HasSubstr("\"rocert-fleet/1\""));
}

TEST(FrameReader, NamesWhatIsNotTheProtocolWithItsFirstByte) {
  FrameReader reader;
  const auto fed = reader.feed("Welcome to n3\033[1m!\n");
  ASSERT_FALSE(fed);
  EXPECT_THAT(fed.error().message, HasSubstr("\"Welcome to n3\\x1b[1m!\""));
  FrameReader early;
  EXPECT_FALSE(early.feed("W"));
}

TEST(FrameReader, DoesNotWaitForeverForTheEndOfAHello) {
  FrameReader reader;
  EXPECT_FALSE(reader.feed("rocert-fleet/" + std::string(100, '1')));
}

TEST(FrameReader, RefusesAFrameOverTheLimitByItsHeader) {
  FrameReader reader(100);
  ASSERT_TRUE(reader.feed(wire({std::string(100, 'x')})));
  EXPECT_TRUE(reader.next());
  const auto fed = reader.feed(encode_frame(std::string(101, 'x')).substr(0, 4));
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().message, "a frame of 101 bytes, wanted at most 100");
}

TEST(FrameReader, StaysBroken) {
  FrameReader reader(10);
  ASSERT_FALSE(reader.feed(wire({"ok", std::string(11, 'x')})));
  EXPECT_FALSE(reader.feed(wire({"ok"})));
}

}  // namespace
}  // namespace rocert
