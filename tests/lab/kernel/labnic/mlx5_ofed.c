// SPDX-License-Identifier: GPL-2.0
/* A ConnectX-7 under the vendor's out-of-tree driver: qos/trust and the ecn tree lie below the netdev. */
#include <linux/rtnetlink.h>

#include "labnic.h"

static ssize_t trust_show(struct device *dev, struct device_attribute *attribute, char *to)
{
	const struct labnic *nic = netdev_priv(to_net_dev(dev));

	return sysfs_emit(to, "%s\n", nic->trust == LABNIC_TRUST_DSCP ? "dscp" : "pcp");
}

static ssize_t trust_store(struct device *dev, struct device_attribute *attribute, const char *from, size_t count)
{
	enum labnic_trust trust;
	int err;

	if (sysfs_streq(from, "dscp"))
		trust = LABNIC_TRUST_DSCP;
	else if (sysfs_streq(from, "pcp"))
		trust = LABNIC_TRUST_PCP;
	else
		return -EINVAL;
	if (!rtnl_trylock())
		return restart_syscall();
	err = labnic_set_trust(netdev_priv(to_net_dev(dev)), trust);
	rtnl_unlock();
	return err ?: count;
}
static DEVICE_ATTR_RW(trust);

static struct attribute *qos_attributes[] = { &dev_attr_trust.attr, NULL };
static const struct attribute_group qos_group = { .name = "qos", .attrs = qos_attributes };

struct parameter {
	const char *name;
	u32 value, min, max;
};

static const struct parameter notification_point[] = {
	{ "cnp_dscp", 48, 0, 63 },
	{ "cnp_802p_prio", 6, 0, 7 },
	{ "min_time_between_cnps", 4, 0, 4095 },
};

static const struct parameter reaction_point[] = {
	{ "clamp_tgt_rate", 0, 0, 1 },
	{ "clamp_tgt_rate_after_time_inc", 1, 0, 1 },
	{ "dce_tcp_g", 1019, 0, 1023 },
	{ "dce_tcp_rtt", 1, 1, 131071 },
	{ "initial_alpha_value", 1023, 1, 1023 },
	{ "rate_reduce_monitor_period", 4, 0, U32_MAX },
	{ "rate_to_set_on_first_cnp", 0, 0, U32_MAX },
	{ "rpg_ai_rate", 5, 0, U32_MAX },
	{ "rpg_byte_reset", 32767, 0, U32_MAX },
	{ "rpg_gd", 11, 0, 15 },
	{ "rpg_hai_rate", 50, 0, U32_MAX },
	{ "rpg_max_rate", 0, 0, U32_MAX },
	{ "rpg_min_dec_fac", 50, 0, 100 },
	{ "rpg_min_rate", 1, 0, U32_MAX },
	{ "rpg_threshold", 1, 0, 31 },
	{ "rpg_time_reset", 300, 0, 131071 },
};

static int add_point(struct labnic *nic, struct kobject *ecn, const char *name, const struct parameter *parameters,
		     int count)
{
	struct kobject *point = labnic_add_folder(nic, name, ecn);
	struct kobject *enable = labnic_add_folder(nic, "enable", point);
	char prio[2] = "0";
	int i, err = 0;

	for (i = 0; i < LABNIC_PRIOS; i++, prio[0]++)
		err = labnic_add_number(nic, enable, prio, 1, 0, 1) ?: err;
	for (i = 0; i < count; i++)
		err = labnic_add_number(nic, point, parameters[i].name, parameters[i].value, parameters[i].min,
					parameters[i].max) ?: err;
	return err;
}

static int add_attributes(struct labnic *nic)
{
	struct kobject *ecn = labnic_add_folder(nic, "ecn", &nic->netdev->dev.kobj);
	int qos = sysfs_create_group(&nic->netdev->dev.kobj, &qos_group);
	int np = add_point(nic, ecn, "roce_np", notification_point, ARRAY_SIZE(notification_point));
	int rp = add_point(nic, ecn, "roce_rp", reaction_point, ARRAY_SIZE(reaction_point));

	return qos ?: np ?: rp;
}

static const char *const private_flags[] = { "rx_cqe_moder", "tx_cqe_moder", "rx_cqe_compress", "rx_striding_rq",
					     "dropless_rq" };

const struct labnic_personality labnic_mlx5_ofed = {
	.name = "mlx5_ofed",
	.driver = "mlx5_core",
	.firmware = "28.39.1002 (MT_0000000838)",
	.vendor = PCI_VENDOR_ID_MELLANOX,
	.device = 0x1021,
	.subsystem_vendor = PCI_VENDOR_ID_MELLANOX,
	.subsystem = 0x0023,
	.pfc_clears_pause = true,
	.pfc_bounces_link = true,
	.counters = {
		[LABNIC_RX_PACKETS] = "rx_packets",
		[LABNIC_RX_BYTES] = "rx_bytes",
		[LABNIC_TX_PACKETS] = "tx_packets",
		[LABNIC_TX_BYTES] = "tx_bytes",
		[LABNIC_RX_RDMA_PACKETS] = "rx_vport_rdma_unicast_packets",
		[LABNIC_RX_RDMA_BYTES] = "rx_vport_rdma_unicast_bytes",
		[LABNIC_TX_RDMA_PACKETS] = "tx_vport_rdma_unicast_packets",
		[LABNIC_TX_RDMA_BYTES] = "tx_vport_rdma_unicast_bytes",
		[LABNIC_RX_OUT_OF_BUFFER] = "rx_out_of_buffer",
		[LABNIC_RX_DISCARDS] = "rx_discards_phy",
		[LABNIC_TX_DISCARDS] = "tx_discards_phy",
		[LABNIC_RX_OVERSIZE] = "rx_oversize_pkts_phy",
		[LABNIC_RX_CRC_ERRORS] = "rx_crc_errors_phy",
		[LABNIC_RX_SYMBOL_ERRORS] = "rx_symbol_err_phy",
		[LABNIC_RX_PAUSE_CTRL] = "rx_pause_ctrl_phy",
		[LABNIC_TX_PAUSE_CTRL] = "tx_pause_ctrl_phy",
		[LABNIC_LINK_DOWN] = "link_down_events_phy",
	},
	.prio_counters = {
		[LABNIC_PRIO_RX_BYTES] = "rx_prio%d_bytes",
		[LABNIC_PRIO_RX_PACKETS] = "rx_prio%d_packets",
		[LABNIC_PRIO_RX_DISCARDS] = "rx_prio%d_discards",
		[LABNIC_PRIO_TX_BYTES] = "tx_prio%d_bytes",
		[LABNIC_PRIO_TX_PACKETS] = "tx_prio%d_packets",
		[LABNIC_PRIO_RX_PAUSE] = "rx_prio%d_pause",
		[LABNIC_PRIO_TX_PAUSE] = "tx_prio%d_pause",
	},
	.private_flags = private_flags,
	.private_flag_count = ARRAY_SIZE(private_flags),
	.add_attributes = add_attributes,
};
