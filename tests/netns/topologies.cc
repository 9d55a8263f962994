#include "netns/topologies.h"

namespace rocert {

const char* const kPorts = R"(link set lo up
link add p0 type veth peer name q0
link add p1 type veth peer name q1
link set p0 addrgenmode none
link set p1 addrgenmode none
link set q0 addrgenmode none
link set q1 addrgenmode none
link set p0 up
link set p1 up
link set q0 up
link set q1 up
)";

namespace {

const std::vector<std::string> kFour{"198.18.0.1",   "198.18.0.2", "198.18.0.9",    "198.18.0.255", "198.18.9.9",
                                     "203.0.113.10", "127.0.0.1",  "203.0.113.200", "192.0.2.1"};
const std::vector<std::string> kFourSources{"198.18.0.1", "198.18.0.2"};
const std::vector<std::string> kSix{"fd00::1",  "fd00::2",       "fd00::9", "fd00:7::9", "2001:db8::1",
                                    "fe80::99", "2001:db8:1::1", "::1",     "fd00:9::1"};
const std::vector<std::string> kSixSources{"fd00::1", "fd00::2"};

// Two rails in one subnet, and in one subnet each.
const std::string kSame = R"(address add 198.18.0.1/24 dev p0
address add 198.18.0.2/24 dev p1
)";
const std::string kApart = R"(address add 198.18.0.1/24 dev p0
address add 198.18.1.1/24 dev p1
)";
const std::string kSame6 = R"(address add fd00::1/64 dev p0 nodad
address add fd00::2/64 dev p1 nodad
address add fe80::1/64 dev p0 nodad
address add fe80::2/64 dev p1 nodad
neighbour add fd00::fe lladdr 02:00:00:00:00:01 dev p0 nud permanent
neighbour add fd00::fd lladdr 02:00:00:00:00:02 dev p1 nud permanent
)";

std::vector<Topology> ipv4_rails() {
  return {
      {"nothing", "", "", kFour, {}},
      {"two rails in one subnet", kSame, "", kFour, kFourSources},
      {"two rails in one subnet with source rules", kSame + R"(route add 198.18.0.0/24 dev p0 table 100
route add 198.18.0.0/24 dev p1 table 101
rule add from 198.18.0.1 lookup 100 priority 1000
rule add from 198.18.0.2 lookup 101 priority 1001
)",
       "", kFour, kFourSources},
      {"a subnet a rail with gateways",
       kApart + R"(route add 198.18.0.0/24 dev p0 table 100
route add 198.18.0.0/16 via 198.18.0.254 dev p0 table 100
route add 198.18.1.0/24 dev p1 table 101
route add 198.18.0.0/16 via 198.18.1.254 dev p1 table 101
rule add from 198.18.0.1 lookup 100 priority 1000
rule add from 198.18.1.1 lookup 101 priority 1001
)",
       "",
       {"198.18.0.9", "198.18.1.9", "198.18.0.1", "198.18.1.1", "198.18.7.9", "203.0.113.1"},
       {"198.18.0.1", "198.18.1.1"}},
      {"point to point rails",
       R"(address add 198.18.0.0/31 dev p0
address add 198.18.0.2/31 dev p1
route add default via 198.18.0.1 dev p0 metric 10
route add default via 198.18.0.3 dev p1 metric 20
route add default via 198.18.0.3 dev p1 table 7
rule add from 198.18.0.2/31 lookup 7 priority 70
)",
       "",
       {"198.18.0.0", "198.18.0.1", "198.18.0.2", "198.18.0.3", "203.0.113.1"},
       {"198.18.0.0", "198.18.0.2"}},
      {"multipath",
       kApart + R"(route add default nexthop via 198.18.0.254 dev p0 weight 2 nexthop via 198.18.1.254 dev p1
route add 192.0.2.0/24 nexthop via 198.18.0.253 dev p0 nexthop via 198.18.0.252 dev p0
)",
       "",
       {"198.18.0.9", "198.18.1.9", "203.0.113.1", "203.0.113.2", "203.0.113.3", "192.0.2.1"},
       {"198.18.0.1", "198.18.1.1"}},
      {"nexthop objects",
       kApart + R"(nexthop add id 1 via 198.18.0.254 dev p0
nexthop add id 2 via 198.18.1.254 dev p1
nexthop add id 9 group 1/2
nexthop add id 10 blackhole
route add default nhid 9
route add 192.0.2.0/24 nhid 2
route add 203.0.113.0/28 nhid 10
)",
       "",
       {"198.18.0.9", "192.0.2.1", "203.0.113.1", "203.0.113.200"},
       {"198.18.0.1", "198.18.1.1"}},
  };
}

std::vector<Topology> ipv4_rules() {
  return {
      {"suppressed default and a mark", kSame + R"(route add default via 198.18.0.254 dev p0
route add default dev p1 table 51820
rule add not fwmark 7 lookup 51820 priority 20
rule add lookup main suppress_prefixlength 0 priority 10
)",
       "", kFour, kFourSources},
      {"suppressed interface group", kSame + R"(link set p0 group 9
rule add lookup main suppress_ifgroup 9 priority 10
route add 198.18.0.0/24 dev p1 table 77
rule add lookup 77 priority 20
)",
       "", kFour, kFourSources},
      {"blocking and throwing routes", kSame + R"(route add blackhole 203.0.113.0/28
route add unreachable 203.0.113.192/26
route add prohibit 192.0.2.0/24
route add default via 198.18.0.254 dev p0
route add throw 198.18.9.0/24 table 77
route add 198.18.0.0/16 dev p1 table 77
rule add lookup 77 priority 10
)",
       "", kFour, kFourSources},
      {"rules that block jump and do nothing", kSame + R"(route add default via 198.18.0.254 dev p0
rule add to 203.0.113.0/25 blackhole priority 5
rule add to 203.0.113.128/25 prohibit priority 6
rule add to 192.0.2.0/24 unreachable priority 7
rule add to 198.18.9.0/24 goto 32767 priority 8
rule add to 198.18.0.9 goto 4000 priority 9
rule add from 198.18.0.2 to 198.18.0.9 nop priority 10
)",
       "", kFour, kFourSources},
      {"interface rules and a missing device", kSame + R"(route add 198.18.0.0/16 dev p1 table 77
route add blackhole 203.0.113.0/24 table 78
rule add oif p1 lookup 77 priority 10
rule add iif lo to 203.0.113.0/24 lookup 78 priority 11
rule add iif p1 lookup 78 priority 12
rule add oif nothere lookup 78 priority 13
rule add not oif p0 to 192.0.2.0/24 blackhole priority 14
)",
       "", kFour, kFourSources},
      {"type of service and metrics", kSame + R"(route add 203.0.113.0/24 via 198.18.0.254 dev p0 tos 0x10
route add 203.0.113.0/24 via 198.18.0.253 dev p1 metric 5
route add 203.0.113.0/24 via 198.18.0.252 dev p0 metric 9
route add 192.0.2.0/24 dev p1 table 77
rule add tos 0x10 lookup 77 priority 10
)",
       "", kFour, kFourSources},
      {"protocol port and user", kSame + R"(route add default dev p1 table 77
rule add ipproto udp dport 4791 lookup 77 priority 10
rule add uidrange 1000-2000 lookup 77 priority 11
rule add uidrange 0-0 to 192.0.2.0/24 lookup 77 priority 12
)",
       "", kFour, kFourSources},
  };
}

std::vector<Topology> ipv4_devices() {
  return {
      {"a port without carrier", kSame + "link set q0 down\n", "", kFour, kFourSources},
      {"a port without carrier that is minded", kSame + "link set q0 down\n", "", kFour, kFourSources, {"p0"}},
      {"bridge macvlan vxlan and tun",
       kSame + R"(link add br0 type bridge
link set q0 master br0
link set br0 addrgenmode none
link set br0 up
link add m0 link p1 type macvlan
link set m0 addrgenmode none
link set m0 up
link add vx0 type vxlan id 5 local 198.18.0.1 dstport 4789
link set vx0 addrgenmode none
link set vx0 up
tuntap add t0 mode tun
link set t0 addrgenmode none
link set t0 up
address add 198.18.9.1/24 dev br0
address add 203.0.113.1/25 dev m0
address add 203.0.113.129/25 dev vx0
address add 192.0.2.2/30 dev t0
)",
       "",
       kFour,
       {"198.18.0.1", "198.18.9.1", "203.0.113.1", "192.0.2.2"}},
  };
}

std::vector<Topology> ipv6_rails() {
  return {
      {"IPv6 without routes", "", "", kSix, {}},
      {"IPv6 two rails in one subnet", "", kSame6, kSix, kSixSources},
      {"IPv6 with source rules", "", kSame6 + R"(route add fd00::/64 dev p0 table 100
route add fd00::/64 dev p1 table 101
rule add from fd00::1 lookup 100 priority 1000
rule add from fd00::2 lookup 101 priority 1001
)",
       kSix, kSixSources},
      {"IPv6 gateways metrics and blocking routes", "", kSame6 + R"(route add default via fd00::fe dev p0 metric 10
route add default via fd00::fd dev p1 metric 20
route add blackhole 2001:db8:1::/48
route add unreachable fd00:7::/64
route add throw fd00:9::/64 table 77
route add default dev p1 table 77
rule add to fd00:9::/64 lookup 77 priority 10
)",
       kSix, kSixSources},
      {"IPv6 multipath and suppression", "",
       kSame6 + R"(route add default nexthop via fd00::fe dev p0 nexthop via fd00::fd dev p1
route add default dev p1 table 77
rule add lookup main suppress_prefixlength 0 priority 10
rule add fwmark 7 lookup 77 priority 20
rule add to fd00:7::/64 prohibit priority 5
)",
       kSix, kSixSources},
      {"IPv6 with a router preference", "", kSame6 + R"(route add fd00:7::/64 dev p0 metric 5 pref low
route append fd00:7::/64 dev p1 metric 5 pref high
route add 2001:db8::/32 dev p0 metric 5
route append 2001:db8::/32 dev p1 metric 7
)",
       kSix, kSixSources},
  };
}

}  // namespace

std::vector<Topology> topologies() {
  std::vector<Topology> all;
  for (auto* part : {ipv4_rails, ipv4_rules, ipv4_devices, ipv6_rails}) {
    for (Topology& topology : part()) all.push_back(std::move(topology));
  }
  return all;
}

}  // namespace rocert
