#!/bin/bash
# Each planted fault shows, and is gone when it is taken back.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
good() { ping_from n1 198.18.0.2 3 >/dev/null; }

check "before: a good path" good
check "drop: all frames from n1" lab fault drop n1 0 100% from-host
check_not "  nothing arrives" ping_from n1 198.18.0.2 2
check "  the switch counts them" test "$(port n1:0 from-host dropped_by_share)" -ge 2
check "  the other direction is not touched" test "$(port n1:0 to-host dropped_by_share)" = 0
check "drop: a share" lab fault drop n1 0 20%
dropped=$(port n1:0 to-host dropped_by_share)
on n1 ping -n -q -c 100 -i 0.01 -W 1 198.18.0.2 >/dev/null
check "  some of 100 pings are lost, not all" eval "d=\$(( \$(port n1:0 to-host dropped_by_share) - $dropped )); ((d > 3 && d < 50))"
check "restore" lab fault restore n1 0
check "  the path is good" good

check "delay: 40 ms to the host" lab fault delay n2 0 40ms to-host
rtt=$(ping_from n1 198.18.0.2 3 | sed -n 's|^rtt .*= \([0-9]*\).*|\1|p')
check "  the least round trip ($rtt ms) is no shorter" test "${rtt:-0}" -ge 40
check "restore" lab fault restore n2 0

check "rate: 20 Mb/s" lab fault rate n2 0 20M
SECONDS=0
check "  10 MB of RDMA pass" write_bw 0 n1 n2 160
check "  and take no less than their 4 seconds" test "$SECONDS" -ge 4
check "restore" lab fault restore n2 0
check "  the port has its own rate" test -z "$(port n2:0 to-host rate)"

check "mtu: 1500 on the way to n2" lab fault mtu n2 0 1500 to-host
check_not "  large packets vanish" ping_from n1 198.18.0.2 2 -M "do" -s 4000
check "  small ones pass" good
check "restore" lab fault restore n2 0

check "rewrite-dscp: 26 becomes 0 on the way to n2" lab fault rewrite-dscp n2 0 26 0 to-host
before=$(counter n2 ens1np0 rx_prio3_packets)
zero=$(counter n2 ens1np0 rx_prio0_packets)
check "  RDMA still works" write_bw 0 n1 n2 50
check "  but not on priority 3" test "$(counter n2 ens1np0 rx_prio3_packets)" = "$before"
check "  it is on priority 0" test "$(counter n2 ens1np0 rx_prio0_packets)" -ge $((zero + 800))
check "restore" lab fault restore n2 0

check "cut" lab fault cut n1 0
check_not "  nothing passes" ping_from n1 198.18.0.2 2
check "  the carrier stays" test "$(on n1 cat /sys/class/net/ens1np0/carrier)" = 1
check "restore" lab fault restore n1 0
check "  the path is good" good

check "swap: n1's two cables" lab fault swap n1 0 n1 1
check_not "  rail 0 is out of reach" ping_from n1 198.18.0.2 2
check "swap back" lab fault swap n1 0 n1 1
check "  the path is good" good

down=$(counter n1 ens2np0 link_down_events_phy)
check "link-down: n1 rail 1" lab fault link-down n1 1
check "  the carrier is gone" test "$(on n1 cat /sys/class/net/ens2np0/carrier)" = 0
check "  the NIC counts it" test "$(counter n1 ens2np0 link_down_events_phy)" = $((down + 1))
check "  the RDMA port is not active" not has 'mlx5_1/1 state ACTIVE' "$(on n1 rdma link)"
check "link-up" lab fault link-up n1 1
check "  the path is good" ping_from n1 198.18.1.2 5

check "unplug: n4 rail 1" lab fault unplug n4 1
check "  its NIC and RDMA device are gone" test "$(on n4 sh -c 'ls -d /sys/class/net/ens2np0 /sys/class/infiniband/mlx5_1 /sys/bus/pci/devices/0000:40:01.0 2>/dev/null | wc -l')" = 0
check "plug" lab fault plug n4 1
check "  it is there and set up" has 'mlx5_1/1 state ACTIVE' "$(on n4 rdma link)"
check "  the path is good" ping_from n4 198.18.1.2 5
check_not "an unknown host is refused" lab fault cut n9 0
check_not "a share above 1 is refused" lab fault drop n1 0 200%
check "the kernels have not complained" eval 'for h in n1 n2 n4; do on $h sh -c "! dmesg | grep -E \"BUG|WARNING|Call Trace|Oops\"" || exit 1; done'
finish
