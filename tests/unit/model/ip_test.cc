#include "model/ip.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

TEST(Ip, ParsesStrictly) {
  EXPECT_EQ(to_text(*parse_ip("198.18.0.1")), "198.18.0.1");
  EXPECT_EQ(to_text(*parse_ip("2001:db8::1")), "2001:db8::1");
  EXPECT_EQ(parse_ip("::ffff:198.18.0.1")->family, Family::kIpv6);
  for (const char* bad : {"", "198.18.0", "198.18.0.1 ", "198.18.0.256", "fe80::1%eth0", "g::"})
    EXPECT_EQ(parse_ip(bad), std::nullopt) << bad;
  EXPECT_EQ(to_text(*parse_prefix("198.18.0.1/24")), "198.18.0.1/24");
  EXPECT_EQ(parse_prefix("198.18.0.1")->length, 32);
  for (const char* bad : {"198.18.0.1/33", "198.18.0.1/", "198.18.0.1/-1", "/24", "::/129"})
    EXPECT_EQ(parse_prefix(bad), std::nullopt) << bad;
}

TEST(Ip, KnowsKinds) {
  EXPECT_TRUE(parse_ip("169.254.3.4")->is_link_local());
  EXPECT_TRUE(parse_ip("fe80::1")->is_link_local());
  EXPECT_TRUE(parse_ip("febf::1")->is_link_local());
  EXPECT_FALSE(parse_ip("fec0::1")->is_link_local());
  EXPECT_TRUE(parse_ip("127.8.8.8")->is_loopback());
  EXPECT_TRUE(parse_ip("::1")->is_loopback());
  EXPECT_TRUE(parse_ip("ff02::1")->is_multicast());
  EXPECT_TRUE(parse_ip("0.0.0.0")->is_unspecified());
}

TEST(Ip, PrefixContainsByItsBitsAndFamily) {
  const Prefix rail = *parse_prefix("198.18.1.7/24");
  EXPECT_TRUE(rail.contains(*parse_ip("198.18.1.255")));
  EXPECT_FALSE(rail.contains(*parse_ip("198.18.2.7")));
  EXPECT_FALSE(rail.contains(*parse_ip("::ffff:198.18.1.7")));
  EXPECT_EQ(to_text(rail.network()), "198.18.1.0/24");
  const Prefix point = *parse_prefix("198.18.1.6/31");
  EXPECT_TRUE(point.contains(*parse_ip("198.18.1.7")));
  EXPECT_FALSE(point.contains(*parse_ip("198.18.1.8")));
  EXPECT_TRUE(parse_prefix("::/0")->contains(*parse_ip("2001:db8::1")));
  EXPECT_EQ(to_text(parse_prefix("2001:db8:0:ff::1/57")->network()), "2001:db8:0:80::/57");
}

}  // namespace
}  // namespace rocert
