#include "model/rdma.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

Gid gid_of(const char* text) {
  Gid gid;
  gid.raw = parse_ip(text)->bytes;
  return gid;
}

TEST(Rdma, GidStandsForAnAddress) {
  EXPECT_EQ(to_text(gid_of("::ffff:198.18.0.1").address()), "198.18.0.1");
  EXPECT_EQ(to_text(gid_of("2001:db8::1").address()), "2001:db8::1");
  EXPECT_TRUE(gid_of("::ffff:198.18.0.1").is_routable());
  EXPECT_FALSE(gid_of("fe80::2ff:fe00:1").is_routable());
  EXPECT_FALSE(gid_of("::ffff:169.254.1.1").is_routable());
  EXPECT_FALSE(gid_of("::").is_routable());
}

// include/rdma/ib_addr.h: 96 bytes of headers, then the largest enumerated MTU that fits.
TEST(Rdma, MtuFollowsTheNetdevs) {
  EXPECT_EQ(rdma_mtu_for(9000), 4096u);
  EXPECT_EQ(rdma_mtu_for(4192), 4096u);
  EXPECT_EQ(rdma_mtu_for(4191), 2048u);
  EXPECT_EQ(rdma_mtu_for(1500), 1024u);
  EXPECT_EQ(rdma_mtu_for(351), 0u);
  EXPECT_EQ(netdev_mtu_for(4096), 4192u);
}

}  // namespace
}  // namespace rocert
