// Links, addresses, routes, rules and neighbours out of bytes; what iproute2 says of real ones is tests/netns' matter.
#include <gtest/gtest.h>
#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "host/netlink/address.h"
#include "host/netlink/link.h"
#include "host/netlink/neighbour.h"
#include "host/netlink/route.h"
#include "host/netlink/rule.h"
#include "unit/host/bytes_builder.h"

namespace rocert::netlink {
namespace {

const Buffer kFour{198, 18, 0, 1};
const Buffer kGateway{198, 18, 0, 254};

Buffer link_message() {
  ifinfomsg header{};
  header.ifi_index = 7;
  header.ifi_type = 1;
  header.ifi_flags = IFF_UP;
  const Buffer vlan =
      join({attribute(IFLA_INFO_KIND, text("vlan")), attribute(IFLA_INFO_DATA, number<uint16_t>(IFLA_VLAN_ID, 100))});
  const Buffer names = join({attribute(IFLA_ALT_IFNAME, text("rail0")), attribute(IFLA_ALT_IFNAME, text("enp1s0"))});
  return join({raw(header), attribute(IFLA_IFNAME, text("eth0.100")), number<uint32_t>(IFLA_MTU, 9000),
               attribute(IFLA_ADDRESS, {2, 0, 0, 0, 1, 0}), number<uint8_t>(IFLA_OPERSTATE, 6),
               number<uint8_t>(IFLA_CARRIER, 1), number<int>(IFLA_LINK, 3), attribute(IFLA_LINKINFO, vlan),
               number<uint32_t>(IFLA_CARRIER_DOWN_COUNT, 4), attribute(IFLA_PROP_LIST, names)});
}

TEST(ParseLink, ReadsWhatTheKernelTells) {
  const auto link = parse_link(link_message());
  ASSERT_TRUE(link && *link);
  EXPECT_EQ((*link)->name, "eth0.100");
  EXPECT_EQ((*link)->mtu, 9000u);
  EXPECT_EQ((*link)->address, "02:00:00:00:01:00");
  EXPECT_EQ((*link)->operstate, "up");
  EXPECT_TRUE((*link)->admin_up);
  EXPECT_EQ((*link)->carrier, true);
  EXPECT_EQ((*link)->kind, "vlan");
  EXPECT_EQ((*link)->vlan_id, 100);
  EXPECT_EQ((*link)->lower, 3);
  EXPECT_EQ((*link)->carrier_down_count, 4u);
  EXPECT_EQ((*link)->altnames, (std::vector<std::string>{"rail0", "enp1s0"}));
  EXPECT_EQ((*link)->master, std::nullopt);
  EXPECT_EQ((*link)->num_vf, std::nullopt);
}

TEST(ParseLink, APairsOtherEndIsNotBelow) {
  const auto with = [](const Buffer& more) {
    ifinfomsg header{};
    header.ifi_index = 7;
    return parse_link(join({raw(header), attribute(IFLA_IFNAME, text("x")), number<uint32_t>(IFLA_MTU, 1500),
                            number<int>(IFLA_LINK, 3), more}));
  };
  EXPECT_EQ(with({}).value()->lower, 3);
  EXPECT_EQ(with(number<int>(IFLA_LINK_NETNSID, 0)).value()->lower, std::nullopt);
  EXPECT_EQ(with(attribute(IFLA_LINKINFO, attribute(IFLA_INFO_KIND, text("veth")))).value()->lower, std::nullopt);
}

TEST(ParseLink, WithoutNameOrMtuIsMalformed) {
  ifinfomsg header{};
  EXPECT_EQ(parse_link(join({raw(header), number<uint32_t>(IFLA_MTU, 1500)})).error().reason, GapReason::kMalformed);
  EXPECT_EQ(parse_link(join({raw(header), attribute(IFLA_IFNAME, text("x"))})).error().reason, GapReason::kMalformed);
  mangle(link_message(), parse_link);
}

Buffer address_message(uint8_t family, uint8_t length, const Buffer& attributes) {
  ifaddrmsg header{};
  header.ifa_family = family;
  header.ifa_prefixlen = length;
  header.ifa_index = 7;
  return join({raw(header), attributes});
}

TEST(ParseAddress, OwnAddressAndPeer) {
  const Buffer plain_message =
      address_message(AF_INET, 24, join({attribute(IFA_ADDRESS, kFour), attribute(IFA_LOCAL, kFour)}));
  const auto address = parse_address(plain_message);
  ASSERT_TRUE(address && *address);
  EXPECT_EQ((*address)->local, *parse_prefix("198.18.0.1/24"));
  EXPECT_FALSE((*address)->peer);

  const auto pair = parse_address(
      address_message(AF_INET, 32, join({attribute(IFA_ADDRESS, kGateway), attribute(IFA_LOCAL, kFour)})));
  EXPECT_EQ(pair.value()->local.address, *parse_ip("198.18.0.1"));
  EXPECT_EQ(pair.value()->peer, parse_ip("198.18.0.254"));

  const auto six = parse_address(
      address_message(AF_INET6, 64, join({attribute(IFA_ADDRESS, Buffer(16, 1)), number<uint32_t>(IFA_FLAGS, 0x140)})));
  EXPECT_EQ(six.value()->flags, 0x140u);

  EXPECT_EQ(parse_address(address_message(AF_INET, 33, attribute(IFA_LOCAL, kFour))).error().reason,
            GapReason::kMalformed);
  EXPECT_EQ(parse_address(address_message(AF_INET6, 64, attribute(IFA_LOCAL, kFour))).error().reason,
            GapReason::kMalformed);
  EXPECT_FALSE(parse_address(address_message(AF_PACKET, 0, {})).value());
  mangle(plain_message, parse_address);
}

Buffer hop(int ifindex, uint8_t hops, uint8_t flags, const Buffer& attributes) {
  rtnexthop header{};
  header.rtnh_len = static_cast<uint16_t>(sizeof(header) + attributes.size());
  header.rtnh_hops = hops;
  header.rtnh_flags = flags;
  header.rtnh_ifindex = ifindex;
  return join({raw(header), attributes});
}

Buffer multipath_message() {
  rtmsg header{};
  header.rtm_family = AF_INET;
  header.rtm_dst_len = 16;
  header.rtm_type = RTN_UNICAST;
  const Buffer via = join({raw(uint16_t{AF_INET6}), Buffer(16, 0xfe)});
  return join({raw(header), attribute(RTA_DST, {198, 19, 0, 0}), number<uint32_t>(RTA_TABLE, 1000),
               number<uint32_t>(RTA_PRIORITY, 50), attribute(RTA_PREFSRC, kFour),
               attribute(RTA_METRICS, number<uint32_t>(RTAX_MTU, 4200)),
               attribute(RTA_MULTIPATH, join({hop(3, 0, 0, attribute(RTA_GATEWAY, kGateway)),
                                              hop(4, 2, RTNH_F_ONLINK, attribute(RTA_VIA, via))}))});
}

TEST(ParseRoute, MultipathOfTwoFamilies) {
  const auto route = parse_route(multipath_message());
  ASSERT_TRUE(route && *route);
  EXPECT_EQ((*route)->destination, *parse_prefix("198.19.0.0/16"));
  EXPECT_EQ((*route)->table, 1000u);
  EXPECT_EQ((*route)->metric, 50u);
  EXPECT_EQ((*route)->mtu, 4200u);
  EXPECT_EQ((*route)->preferred_source, parse_ip("198.18.0.1"));
  ASSERT_EQ((*route)->next_hops.size(), 2u);
  EXPECT_EQ((*route)->next_hops[0], (NextHop{3, parse_ip("198.18.0.254"), 1, 0}));
  EXPECT_EQ((*route)->next_hops[1].weight, 3);
  EXPECT_EQ((*route)->next_hops[1].flags, RTNH_F_ONLINK);
  EXPECT_EQ((*route)->next_hops[1].gateway->family, Family::kIpv6);
  mangle(multipath_message(), parse_route);
}

TEST(ParseRoute, DefaultBlackholeAndClone) {
  rtmsg header{};
  header.rtm_family = AF_INET6;
  header.rtm_table = 254;
  header.rtm_type = RTN_BLACKHOLE;
  const auto blackhole = parse_route(raw(header));
  EXPECT_EQ(blackhole.value()->destination, *parse_prefix("::/0"));
  EXPECT_TRUE(blackhole.value()->next_hops.empty());
  header.rtm_flags = RTM_F_CLONED;
  EXPECT_FALSE(parse_route(raw(header)).value());
  header.rtm_flags = 0;
  header.rtm_family = 128;  // RTNL_FAMILY_IPMR
  EXPECT_FALSE(parse_route(raw(header)).value());
}

TEST(ParseRoute, AGatewayThatCannotBeReadIsNotDropped) {
  rtmsg header{};
  header.rtm_family = AF_INET;
  const auto route = parse_route(join({raw(header), number<int>(RTA_OIF, 3), attribute(RTA_GATEWAY, {1, 2, 3})}));
  EXPECT_EQ(route.error().reason, GapReason::kMalformed);
}

Buffer rule_message(const Buffer& attributes) {
  fib_rule_hdr header{};
  header.family = AF_INET;
  header.src_len = 32;
  header.table = 254;
  header.action = FR_ACT_TO_TBL;
  header.flags = FIB_RULE_INVERT;
  return join({raw(header), attribute(FRA_SRC, kFour), attributes});
}

TEST(ParseRule, EverySelector) {
  const Buffer message = rule_message(join(
      {number<uint32_t>(FRA_PRIORITY, 100), number<uint32_t>(FRA_TABLE, 1000), attribute(FRA_IIFNAME, text("eth0")),
       attribute(FRA_OIFNAME, text("eth1")), number<uint32_t>(FRA_FWMARK, 1), number<uint32_t>(FRA_FWMASK, 0xff),
       number<uint32_t>(FRA_SUPPRESS_PREFIXLEN, 0), number<uint32_t>(FRA_SUPPRESS_IFGROUP, 0xffffffff),
       attribute(FRA_UID_RANGE, raw(fib_rule_uid_range{1000, 2000})), number<uint8_t>(FRA_IP_PROTO, 17),
       attribute(FRA_DPORT_RANGE, raw(fib_rule_port_range{4791, 4791})), number<uint8_t>(FRA_L3MDEV, 1),
       number<uint8_t>(FRA_PROTOCOL, 4), number<uint8_t>(25, 26), number<uint8_t>(30, 0x3f)}));
  const auto parsed = parse_rule(message);
  ASSERT_TRUE(parsed && *parsed);
  const Rule& rule = **parsed;
  EXPECT_EQ(rule.source, parse_prefix("198.18.0.1/32"));
  EXPECT_TRUE(rule.inverted);
  EXPECT_EQ(rule.priority, 100u);
  EXPECT_EQ(rule.table, 1000u);
  EXPECT_EQ(rule.in_interface, "eth0");
  EXPECT_EQ(rule.out_interface, "eth1");
  EXPECT_EQ(rule.mark, 1u);
  EXPECT_EQ(rule.mask, 0xffu);
  EXPECT_EQ(rule.suppress_prefix_length, 0u);
  EXPECT_EQ(rule.suppress_group, std::nullopt);
  EXPECT_EQ(rule.uids, (std::pair<uint32_t, uint32_t>{1000, 2000}));
  EXPECT_EQ(rule.ip_protocol, 17);
  EXPECT_EQ(rule.destination_ports, (std::pair<uint16_t, uint16_t>{4791, 4791}));
  EXPECT_TRUE(rule.l3mdev);
  EXPECT_EQ(rule.protocol, 4);
  EXPECT_EQ(rule.dscp, 26);
  EXPECT_EQ(rule.unread, std::nullopt);
  mangle(message, parse_rule);
}

TEST(ParseRule, WhatItCannotReadIsNamed) {
  const auto masked = parse_rule(rule_message(join({number<uint8_t>(25, 24), number<uint8_t>(30, 0x38)})));
  EXPECT_EQ(masked.value()->unread, (std::vector<uint16_t>{30}));
  const auto flow_label = parse_rule(rule_message(number<uint32_t>(26, 1)));
  EXPECT_EQ(flow_label.value()->unread, (std::vector<uint16_t>{26}));
}

TEST(ParseNeighbour, EntryWithAndWithoutAddress) {
  ndmsg header{};
  header.ndm_family = AF_INET;
  header.ndm_ifindex = 7;
  header.ndm_state = NUD_PERMANENT;
  const Buffer message = join({raw(header), attribute(NDA_DST, kFour), attribute(NDA_LLADDR, {2, 0, 0, 0, 0, 9})});
  EXPECT_EQ(parse_neighbour(message).value(),
            (Neighbour{7, *parse_ip("198.18.0.1"), "02:00:00:00:00:09", NUD_PERMANENT, 0}));
  EXPECT_EQ(parse_neighbour(raw(header)).error().reason, GapReason::kMalformed);
  header.ndm_family = AF_BRIDGE;
  EXPECT_FALSE(parse_neighbour(raw(header)).value());
  mangle(message, parse_neighbour);
}

}  // namespace
}  // namespace rocert::netlink
