#include "frames.h"

#include <gtest/gtest.h>

namespace rocert::lab {
namespace {

TEST(Frames, SurviveAnyCutting) {
  std::string bytes;
  append_frame(bytes, Kind::kInput, 7, std::string("a\0b", 3));
  append_frame(bytes, Kind::kInputEnd, 0xfffffffe, "");
  for (std::size_t cut = 0; cut <= bytes.size(); cut++) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (const std::string& part : {bytes.substr(0, cut), bytes.substr(cut)}) {
      reader.feed(part);
      while (const auto frame = reader.next()) frames.push_back(*frame);
    }
    ASSERT_EQ(frames.size(), 2u) << cut;
    EXPECT_EQ(frames[0].kind, Kind::kInput);
    EXPECT_EQ(frames[0].stream, 7u);
    EXPECT_EQ(frames[0].payload, std::string("a\0b", 3));
    EXPECT_EQ(frames[1].kind, Kind::kInputEnd);
    EXPECT_EQ(frames[1].stream, 0xfffffffeu);
    EXPECT_EQ(frames[1].payload, "");
  }
}

TEST(Frames, LargestPayloadPassesAndOneByteMoreEndsTheStream) {
  std::string bytes;
  append_frame(bytes, Kind::kOutput, 1, std::string(kMaxPayload, 'x'));
  FrameReader reader;
  reader.feed(bytes);
  ASSERT_TRUE(reader.next());
  bytes.clear();
  append_frame(bytes, Kind::kOutput, 1, std::string(kMaxPayload + 1, 'x'));
  reader.feed(bytes.substr(0, kHeaderBytes));
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.bad(), "no frame: kind 8, 65537 bytes");
}

TEST(Frames, UnknownKindEndsTheStream) {
  for (const char kind : {'\0', static_cast<char>(kLastKind + 1), '\xff'}) {
    FrameReader reader;
    reader.feed(std::string(4, '\0') + kind + std::string(4, '\0'));
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.bad().empty());
    std::string good;
    append_frame(good, Kind::kInput, 1, "");
    reader.feed(good);
    EXPECT_FALSE(reader.next());
  }
}

TEST(Frames, NumbersAndWords) {
  EXPECT_EQ(number_from_bytes(number_to_bytes(0x80ff0102)), 0x80ff0102u);
  EXPECT_FALSE(number_from_bytes("123"));
  EXPECT_FALSE(number_from_bytes("12345"));
  const std::vector<std::string> words{"sh", "-c", "echo \"a b\"\n", ""};
  EXPECT_EQ(split_words(join_words(words)), words);
  EXPECT_EQ(split_words("no end"), std::vector<std::string>{});
}

}  // namespace
}  // namespace rocert::lab
