#include "packet.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace rocert::lab {
namespace {

void append(Packet& to, std::initializer_list<std::uint8_t> bytes) {
  for (const std::uint8_t byte : bytes) to.push_back(byte);
}

// A valid IPv4/UDP header with DSCP 26 and ECN 2, behind an Ethernet header.
Packet ipv4_frame(bool tagged = false) {
  Packet frame{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
  if (tagged) append(frame, {0x81, 0x00, 0x60, 0x05});
  append(frame, {0x08, 0x00});
  append(frame, {0x45, 0x6a, 0x00, 0x1c, 0x12, 0x34, 0x40, 0x00, 0x40, 0x11, 0, 0, 198, 18, 0, 1, 198, 18, 0, 2});
  const std::size_t at = frame.size() - 20;
  const std::uint16_t sum = internet_checksum(std::span(frame).subspan(at));
  frame[at + 10] = static_cast<std::uint8_t>(sum >> 8);
  frame[at + 11] = static_cast<std::uint8_t>(sum);
  append(frame, {0x30, 0x39, 0x12, 0xb7, 0x00, 0x08, 0x00, 0x00});
  return frame;
}

Packet ipv6_frame() {
  Packet frame{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x86, 0xdd};
  append(frame, {0x66, 0xa1, 0x23, 0x45, 0, 0, 0x11, 0x40});
  for (int i = 0; i < 32; i++) append(frame, {0});
  return frame;
}

TEST(Packet, ChecksumIsTheOneOfRfc1071) {
  const std::uint8_t bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  EXPECT_EQ(internet_checksum(bytes), 0xffff - 0xddf2);
  EXPECT_EQ(internet_checksum(std::span(bytes).first(3)), 0xffff - 0xf201);
}

TEST(Packet, RewritesIpv4AndKeepsEcnAndChecksum) {
  for (const bool tagged : {false, true}) {
    Packet frame = ipv4_frame(tagged);
    const std::size_t at = tagged ? 18 : 14;
    ASSERT_EQ(dscp_of(frame), 26);
    ASSERT_EQ(internet_checksum(std::span(frame).subspan(at, 20)), 0);
    for (int dscp = 0; dscp < 64; dscp++) {
      ASSERT_TRUE(set_dscp(frame, static_cast<std::uint8_t>(dscp)));
      EXPECT_EQ(dscp_of(frame), dscp);
      EXPECT_EQ(frame[at + 1] & 3, 2);
      EXPECT_EQ(internet_checksum(std::span(frame).subspan(at, 20)), 0) << dscp;
    }
    ASSERT_TRUE(set_dscp(frame, 26));
    EXPECT_EQ(frame, ipv4_frame(tagged));
  }
}

TEST(Packet, RewritesIpv6AndKeepsTheRest) {
  Packet frame = ipv6_frame();
  ASSERT_EQ(dscp_of(frame), 26);  // traffic class 0x6a
  ASSERT_TRUE(set_dscp(frame, 0));
  EXPECT_EQ(dscp_of(frame), 0);
  EXPECT_EQ(frame[14], 0x60);
  EXPECT_EQ(frame[15], 0x21);  // ECN 2, flow label
  ASSERT_TRUE(set_dscp(frame, 26));
  EXPECT_EQ(frame, ipv6_frame());
}

TEST(Packet, LeavesWhatIsNotIpAlone) {
  Packet arp = ipv4_frame();
  arp[12] = 0x08, arp[13] = 0x06;
  const Packet before = arp;
  EXPECT_FALSE(dscp_of(arp));
  EXPECT_FALSE(set_dscp(arp, 1));
  EXPECT_EQ(arp, before);
}

TEST(Packet, BearsFramesOfAnyLength) {
  for (const Packet& whole : {ipv4_frame(), ipv4_frame(true), ipv6_frame()})
    for (std::size_t size = 0; size <= whole.size(); size++) {
      Packet cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      set_dscp(cut, 1);
      EXPECT_LE(payload_size(cut), cut.size());
    }
}

TEST(Packet, BearsAHeaderLengthThatLies) {
  for (int length = 0; length < 16; length++) {
    Packet frame = ipv4_frame();
    frame[14] = static_cast<std::uint8_t>(0x40 | length);
    EXPECT_EQ(dscp_of(frame).has_value(), length >= 5 && length * 4 <= 28) << length;
    set_dscp(frame, 1);
  }
}

TEST(Packet, PayloadSizeIsWhatAnMtuBounds) {
  EXPECT_EQ(payload_size(ipv4_frame()), 28u);
  EXPECT_EQ(payload_size(ipv4_frame(true)), 28u);
}

}  // namespace
}  // namespace rocert::lab
