#!/bin/bash
# A host of the lab looks like a server with ConnectX cards to the tools that administrators use.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

for port in ens1np0 ens2np0 eth0; do
  check "$port has its carrier" test "$(on n1 cat /sys/class/net/$port/carrier)" = 1
done
check "the MTU is 9000" test "$(on n1 cat /sys/class/net/ens2np0/mtu)" = 9000
check "global pause is off" has 'RX:[[:space:]]+off' "$(on n1 ethtool -a ens1np0)"
check "ethtool -i names mlx5_core on 0000:40:01.0" has 'driver: mlx5_core' "$(on n1 ethtool -i ens2np0)"
check "  and its bus address" has 'bus-info: 0000:40:01.0' "$(on n1 ethtool -i ens2np0)"
check "the link runs at 400 Gb/s" has 'Speed: 400000Mb/s' "$(on n1 ethtool ens1np0)"
check "FEC is RS, with statistics" has 'uncorrectable_blocks: 0' "$(on n1 ethtool -I --show-fec ens1np0)"
check "a ring can be set" on n1 ethtool -G ens2np0 rx 4096
check "  and reads back" has 'RX:[[:space:]]+4096' "$(on n1 ethtool -g ens2np0 | tail -n 8)"
check "a private flag can be set" on n1 ethtool --set-priv-flags ens2np0 dropless_rq on
check "  and reads back" has 'dropless_rq +: on' "$(on n1 ethtool --show-priv-flags ens2np0)"
check "lspci shows a claimed ConnectX-7" has '15b3:1021.*mlx5_core' "$(on n1 lspci -nnk 2>/dev/null | tr '\n' ' ')"
check "the link is x16 at 32 GT/s" test "$(on n1 sh -c 'cat /sys/class/net/ens1np0/device/current_link_width /sys/class/net/ens1np0/device/current_link_speed' | tr '\n' ' ')" = "16 32.0 GT/s PCIe "
check "netdev and RDMA device have one parent" test "$(on n1 readlink -f /sys/class/net/ens2np0/device)" = "$(on n1 readlink -f /sys/class/infiniband/mlx5_1/device)"
check "rdma shows mlx5_1 on ens2np0, active" has 'mlx5_1/1 state ACTIVE.*netdev ens2np0' "$(on n1 rdma link)"
check "ibv_devinfo: active MTU 4096, Ethernet" has 'active_mtu:[[:space:]]+4096.*link_layer:[[:space:]]+Ethernet' "$(on n1 ibv_devinfo -d mlx5_0 | tr '\n' ' ')"
check "GID 1 is the IPv4 address, RoCE v2" test "$(on n2 sh -c 'cat /sys/class/infiniband/mlx5_0/ports/1/gids/1 /sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/1' | tr '\n' ' ')" = "0000:0000:0000:0000:0000:ffff:c612:0002 RoCE v2 "
check "ARP is answered for the port's own addresses" test "$(on n1 cat /proc/sys/net/ipv4/conf/ens1np0/arp_ignore)" = 1

check "PFC is on for priority 3 only" has '0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off' "$(on n1 dcb pfc show dev ens1np0)"
check "DSCP 26 maps to priority 3" has 'AF31:3' "$(on n1 dcb app show dev ens1np0)"
check "trust is dscp" test "$(on n1 cat /sys/class/net/ens1np0/qos/trust)" = dscp
check "pause counters of priority 3 are shown, of 4 not" test "$(on n1 ethtool -S ens1np0 | grep -cE 'rx_prio[34]_pause')" = 1
on n1 dcb app flush dev ens2np0 >/dev/null
check "without DSCP entries trust is pcp" test "$(on n1 cat /sys/class/net/ens2np0/qos/trust)" = pcp
check "an entry can be added" on n1 dcb app add dev ens2np0 dscp-prio 26:3
check "  and brings trust dscp" test "$(on n1 cat /sys/class/net/ens2np0/qos/trust)" = dscp
check_not "ETS shares that do not add up are refused" on n1 dcb ets set dev ens2np0 tc-tsa 0:ets 1:ets tc-bw 0:50 1:40
check_not "an entry by Ethertype is refused" on n1 dcb app add dev ens2np0 ethtype-prio 0x8915:3
check "global pause can be switched on" on n1 ethtool -A ens2np0 autoneg off rx on tx on
on n1 dcb pfc set dev ens2np0 prio-pfc 3:off 4:on >/dev/null
check "  and PFC switches it off" has 'RX:[[:space:]]+off' "$(on n1 ethtool -a ens2np0)"
check "the CNP's DSCP is 48 and can be written" on n1 sh -c 'cd /sys/class/net/ens1np0/ecn/roce_np && grep -qx 48 cnp_dscp && echo 46 >cnp_dscp && grep -qx 46 cnp_dscp'
check_not "  but not out of range" on n1 sh -c 'echo 64 >/sys/class/net/ens1np0/ecn/roce_np/cnp_dscp'
check "ECN is on per priority" test "$(on n1 cat /sys/class/net/ens1np0/ecn/roce_rp/enable/3)" = 1
check "unbind and bind work" on n1 sh -c 'cd /sys/bus/pci/drivers/mlx5_core && echo 0000:40:01.0 >unbind && ! test -e /sys/class/net/ens2np0 && echo 0000:40:01.0 >bind && test -e /sys/class/net/ens2np0'
check "  and the host can be set up again" on n1 /run/lab/good-host 1
check "the kernel has not complained" not on n1 sh -c 'dmesg | grep -E "BUG|WARNING|Call Trace|Oops"'
finish
