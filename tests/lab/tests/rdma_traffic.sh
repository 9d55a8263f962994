#!/bin/bash
# Real RDMA between guests, counted where the NIC's own map puts it.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

check "the hosts reach each other on both rails" eval 'ping_from n1 198.18.0.2 && ping_from n1 198.18.1.4'
check "large packets pass unfragmented" ping_from n1 198.18.0.2 3 -M "do" -s 8972
check "the management segment works" ping_from n1 192.0.2.4

before=$(counter n2 ens1np0 rx_prio3_packets)
check "64 KiB RDMA writes from n1 to n2, rail 0" write_bw 0 n1 n2 200
after=$(counter n2 ens1np0 rx_prio3_packets)
check "  their 3200 packets are counted on priority 3 ($before to $after)" test $((after - before)) -ge 3200
check "  and as RDMA by the sender" test "$(counter n1 ens1np0 tx_vport_rdma_unicast_packets)" -ge 3200
check "  the switch dropped nothing" test "$(port n2:0 to-host dropped_by_queue)" = 0

check "a map without DSCP 26 on priority 3 is seen" on n3 dcb app del dev ens1np0 dscp-prio 26:3
before=$(counter n3 ens1np0 rx_prio3_packets)
check "  writes from n1 to n3" write_bw 0 n1 n3 50
check "  are not on priority 3 there" test "$(counter n3 ens1np0 rx_prio3_packets)" = "$before"
on n3 dcb app add dev ens1np0 dscp-prio 26:3 >/dev/null

check "two rails at once" eval 'write_bw 0 n1 n2 100 & a=$!; write_bw 1 n3 n4 100 || exit 1; wait $a'
finish
