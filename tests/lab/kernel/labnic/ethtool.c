// SPDX-License-Identifier: GPL-2.0
/* What ethtool shows and sets. */
#include "labnic.h"

#define RING_MAX 8192

static struct labnic *of(struct net_device *netdev)
{
	return netdev_priv(netdev);
}

static void get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	struct labnic *nic = of(netdev);

	strscpy(info->driver, nic->pdev->driver->name, sizeof(info->driver));
	strscpy(info->fw_version, nic->is->firmware, sizeof(info->fw_version));
	strscpy(info->bus_info, pci_name(nic->pdev), sizeof(info->bus_info));
}

static int get_link_ksettings(struct net_device *netdev, struct ethtool_link_ksettings *link)
{
	bool up = netif_carrier_ok(netdev);

	ethtool_link_ksettings_zero_link_mode(link, supported);
	ethtool_link_ksettings_add_link_mode(link, supported, 400000baseSR4_Full);
	ethtool_link_ksettings_add_link_mode(link, supported, 200000baseSR4_Full);
	ethtool_link_ksettings_add_link_mode(link, supported, 100000baseSR4_Full);
	ethtool_link_ksettings_add_link_mode(link, supported, FIBRE);
	ethtool_link_ksettings_add_link_mode(link, supported, Pause);
	ethtool_link_ksettings_add_link_mode(link, supported, FEC_RS);
	bitmap_copy(link->link_modes.advertising, link->link_modes.supported, __ETHTOOL_LINK_MODE_MASK_NBITS);
	link->base.speed = up ? of(netdev)->speed : SPEED_UNKNOWN;
	link->base.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	link->base.port = PORT_FIBRE;
	link->base.autoneg = AUTONEG_DISABLE;
	link->lanes = 4;
	return 0;
}

static int set_link_ksettings(struct net_device *netdev, const struct ethtool_link_ksettings *link)
{
	switch (link->base.speed) {
	case SPEED_100000:
	case SPEED_200000:
	case SPEED_400000:
		of(netdev)->speed = link->base.speed;
		return 0;
	default:
		return -EINVAL;
	}
}

static void get_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	*pause = of(netdev)->pause;
}

static int set_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	if (pause->autoneg)
		return -EINVAL;
	of(netdev)->pause = *pause;
	return 0;
}

static int get_fecparam(struct net_device *netdev, struct ethtool_fecparam *fec)
{
	fec->fec = of(netdev)->fec;
	fec->active_fec = netif_carrier_ok(netdev) ? ETHTOOL_FEC_RS : ETHTOOL_FEC_NONE;
	return 0;
}

static int set_fecparam(struct net_device *netdev, struct ethtool_fecparam *fec)
{
	if (fec->fec != ETHTOOL_FEC_AUTO && fec->fec != ETHTOOL_FEC_RS)
		return -EOPNOTSUPP;	/* links of this speed do not work without */
	of(netdev)->fec = fec->fec;
	return 0;
}

static void get_fec_stats(struct net_device *netdev, struct ethtool_fec_stats *stats)
{
	stats->corrected_blocks.total = of(netdev)->counter[LABNIC_FEC_CORRECTED];
	stats->uncorrectable_blocks.total = of(netdev)->counter[LABNIC_FEC_UNCORRECTABLE];
}

static void get_ringparam(struct net_device *netdev, struct ethtool_ringparam *ring,
			  struct kernel_ethtool_ringparam *kernel_ring, struct netlink_ext_ack *ack)
{
	ring->rx_max_pending = ring->tx_max_pending = RING_MAX;
	ring->rx_pending = of(netdev)->rx_ring;
	ring->tx_pending = of(netdev)->tx_ring;
}

static int set_ringparam(struct net_device *netdev, struct ethtool_ringparam *ring,
			 struct kernel_ethtool_ringparam *kernel_ring, struct netlink_ext_ack *ack)
{
	if (ring->rx_mini_pending || ring->rx_jumbo_pending)
		return -EINVAL;
	of(netdev)->rx_ring = roundup_pow_of_two(clamp(ring->rx_pending, 64u, (u32)RING_MAX));
	of(netdev)->tx_ring = roundup_pow_of_two(clamp(ring->tx_pending, 64u, (u32)RING_MAX));
	return 0;
}

static void get_channels(struct net_device *netdev, struct ethtool_channels *channels)
{
	channels->max_combined = LABNIC_QUEUES;
	channels->combined_count = of(netdev)->channels;
}

static int set_channels(struct net_device *netdev, struct ethtool_channels *channels)
{
	if (!channels->combined_count)
		return -EINVAL;
	of(netdev)->channels = channels->combined_count;
	return 0;
}

/* Pause counters of a priority are there only while PFC is on for it, as mlx5 has it. */
static bool shows(const struct labnic *nic, int counter, int prio)
{
	return nic->is->prio_counters[counter] &&
	       (counter < LABNIC_PRIO_FIRST_PFC || nic->pfc.pfc_en & BIT(prio));
}

static int get_sset_count(struct net_device *netdev, int set)
{
	const struct labnic *nic = of(netdev);
	int i, prio, count = 0;

	if (set == ETH_SS_PRIV_FLAGS)
		return nic->is->private_flag_count;
	if (set != ETH_SS_STATS)
		return -EOPNOTSUPP;
	for (i = 0; i < LABNIC_COUNTERS; i++)
		count += !!nic->is->counters[i];
	for (prio = 0; prio < LABNIC_PRIOS; prio++)
		for (i = 0; i < LABNIC_PRIO_COUNTERS; i++)
			count += shows(nic, i, prio);
	return count;
}

static void get_strings(struct net_device *netdev, u32 set, u8 *to)
{
	const struct labnic *nic = of(netdev);
	int i, prio;

	if (set == ETH_SS_PRIV_FLAGS)
		for (i = 0; i < nic->is->private_flag_count; i++)
			ethtool_sprintf(&to, "%s", nic->is->private_flags[i]);
	if (set != ETH_SS_STATS)
		return;
	for (i = 0; i < LABNIC_COUNTERS; i++)
		if (nic->is->counters[i])
			ethtool_sprintf(&to, "%s", nic->is->counters[i]);
	for (prio = 0; prio < LABNIC_PRIOS; prio++)
		for (i = 0; i < LABNIC_PRIO_COUNTERS; i++)
			if (shows(nic, i, prio))
				ethtool_sprintf(&to, nic->is->prio_counters[i], prio);
}

static void get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats, u64 *to)
{
	const struct labnic *nic = of(netdev);
	int i, prio;

	for (i = 0; i < LABNIC_COUNTERS; i++)
		if (nic->is->counters[i])
			*to++ = nic->counter[i];
	for (prio = 0; prio < LABNIC_PRIOS; prio++)
		for (i = 0; i < LABNIC_PRIO_COUNTERS; i++)
			if (shows(nic, i, prio))
				*to++ = nic->prio_counter[i][prio];
}

static u32 get_priv_flags(struct net_device *netdev)
{
	return of(netdev)->private_flags;
}

static int set_priv_flags(struct net_device *netdev, u32 flags)
{
	of(netdev)->private_flags = flags;
	return 0;
}

const struct ethtool_ops labnic_ethtool_ops = {
	.get_drvinfo = get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = get_link_ksettings,
	.set_link_ksettings = set_link_ksettings,
	.get_pauseparam = get_pauseparam,
	.set_pauseparam = set_pauseparam,
	.get_fecparam = get_fecparam,
	.set_fecparam = set_fecparam,
	.get_fec_stats = get_fec_stats,
	.get_ringparam = get_ringparam,
	.set_ringparam = set_ringparam,
	.get_channels = get_channels,
	.set_channels = set_channels,
	.get_sset_count = get_sset_count,
	.get_strings = get_strings,
	.get_ethtool_stats = get_ethtool_stats,
	.get_priv_flags = get_priv_flags,
	.set_priv_flags = set_priv_flags,
	.get_ts_info = ethtool_op_get_ts_info,
};
