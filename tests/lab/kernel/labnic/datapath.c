// SPDX-License-Identifier: GPL-2.0
/*
 * Frames in and out. Every frame of the wire becomes a frame of the NIC on its way in and is counted on
 * the priority that the NIC's own map gives it. A place for queues per priority is labnic_xmit(), one for
 * honouring 802.1Qbb is count_pause().
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/ip.h>

#include "labnic.h"

#define ROCE_V2_PORT 4791
#define PFC_OPCODE 0x0101

struct traffic {
	u8 prio;
	bool rdma;
};

/* What the NIC's parser sees; the frame starts at its Ethernet header. */
static struct traffic classify(const struct labnic *nic, const struct sk_buff *skb)
{
	struct traffic is = { 0 };
	int at = ETH_HLEN, dscp = -1, udp = -1;
	union {
		struct iphdr v4;
		struct ipv6hdr v6;
		struct vlan_hdr vlan;
		struct udphdr udp;
	} hdr;
	__be16 proto = ((const struct ethhdr *)skb->data)->h_proto;

	if (skb_vlan_tag_present(skb)) {
		is.prio = skb_vlan_tag_get_prio(skb);
	} else if (eth_type_vlan(proto) && !skb_copy_bits(skb, at, &hdr, sizeof(hdr.vlan))) {
		is.prio = ntohs(hdr.vlan.h_vlan_TCI) >> VLAN_PRIO_SHIFT;
		proto = hdr.vlan.h_vlan_encapsulated_proto;
		at += VLAN_HLEN;
	}
	if (proto == htons(ETH_P_IP) && !skb_copy_bits(skb, at, &hdr, sizeof(hdr.v4))) {
		dscp = ipv4_get_dsfield(&hdr.v4) >> 2;
		if (hdr.v4.protocol == IPPROTO_UDP && !(hdr.v4.frag_off & htons(IP_OFFSET)))
			udp = at + hdr.v4.ihl * 4;
	} else if (proto == htons(ETH_P_IPV6) && !skb_copy_bits(skb, at, &hdr, sizeof(hdr.v6))) {
		dscp = ipv6_get_dsfield(&hdr.v6) >> 2;
		if (hdr.v6.nexthdr == IPPROTO_UDP)
			udp = at + sizeof(hdr.v6);
	}
	if (dscp >= 0 && nic->trust == LABNIC_TRUST_DSCP)
		is.prio = nic->dscp_to_prio[dscp];
	if (udp >= 0 && !skb_copy_bits(skb, udp, &hdr, sizeof(hdr.udp)))
		is.rdma = hdr.udp.dest == htons(ROCE_V2_PORT);
	return is;
}

netdev_tx_t labnic_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct labnic *nic = netdev_priv(netdev);
	struct traffic is = classify(nic, skb);
	unsigned int len = skb->len;
	struct net_device *wire;

	skb_tx_timestamp(skb);
	rcu_read_lock();
	wire = rcu_dereference(nic->wire);
	if (!wire) {
		dev_kfree_skb_any(skb);
		nic->counter[LABNIC_TX_DISCARDS]++;
		goto out;
	}
	skb->dev = wire;
	if (dev_queue_xmit(skb) != NET_XMIT_SUCCESS) {
		nic->counter[LABNIC_TX_DISCARDS]++;
		goto out;
	}
	nic->counter[LABNIC_TX_PACKETS]++;
	nic->counter[LABNIC_TX_BYTES] += len;
	nic->prio_counter[LABNIC_PRIO_TX_PACKETS][is.prio]++;
	nic->prio_counter[LABNIC_PRIO_TX_BYTES][is.prio] += len;
	if (is.rdma) {
		nic->counter[LABNIC_TX_RDMA_PACKETS]++;
		nic->counter[LABNIC_TX_RDMA_BYTES] += len;
	}
out:
	rcu_read_unlock();
	return NETDEV_TX_OK;
}

/* A MAC control frame: opcode, then for 802.1Qbb a vector of enabled priorities and eight times in quanta. */
static void count_pause(struct labnic *nic, const struct sk_buff *skb)
{
	__be16 control[2 + LABNIC_PRIOS];
	int i;

	nic->counter[LABNIC_RX_PAUSE_CTRL]++;
	if (skb_copy_bits(skb, 0, control, sizeof(control)) || control[0] != htons(PFC_OPCODE))
		return;
	for (i = 0; i < LABNIC_PRIOS; i++)
		if (ntohs(control[1]) & BIT(i) && control[2 + i])
			nic->prio_counter[LABNIC_PRIO_RX_PAUSE][i]++;
}

/* Where the NIC takes frames from its wire; the frame starts behind its Ethernet header. */
rx_handler_result_t labnic_receive(struct sk_buff **pskb)
{
	struct sk_buff *skb = skb_share_check(*pskb, GFP_ATOMIC);
	struct labnic *nic;
	struct traffic is;
	unsigned int len;

	if (!skb)
		return RX_HANDLER_CONSUMED;
	*pskb = skb;
	nic = rcu_dereference(skb->dev->rx_handler_data);
	if (!netif_running(nic->netdev) || !netif_carrier_ok(nic->netdev))
		goto drop;
	if (skb->protocol == htons(ETH_P_PAUSE)) {
		count_pause(nic, skb);
		goto drop;
	}
	if (skb->len > nic->netdev->mtu + VLAN_HLEN) {
		nic->counter[LABNIC_RX_OVERSIZE]++;
		goto drop;
	}
	skb_push(skb, ETH_HLEN);
	len = skb->len;
	is = classify(nic, skb);
	if (nic->drop_prios & BIT(is.prio)) {
		nic->prio_counter[LABNIC_PRIO_RX_DISCARDS][is.prio]++;
		nic->counter[LABNIC_RX_DISCARDS]++;
		goto drop;
	}
	nic->counter[LABNIC_RX_PACKETS]++;
	nic->counter[LABNIC_RX_BYTES] += len;
	nic->prio_counter[LABNIC_PRIO_RX_PACKETS][is.prio]++;
	nic->prio_counter[LABNIC_PRIO_RX_BYTES][is.prio] += len;
	if (is.rdma) {
		nic->counter[LABNIC_RX_RDMA_PACKETS]++;
		nic->counter[LABNIC_RX_RDMA_BYTES] += len;
	}
	skb->protocol = eth_type_trans(skb, nic->netdev);	/* sets dev and pkt_type too */
	return RX_HANDLER_ANOTHER;
drop:
	kfree_skb(skb);
	return RX_HANDLER_CONSUMED;
}
