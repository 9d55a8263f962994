/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labnic: a RoCE NIC made of software. Each device is a PCI function on a fake bus (pci_bus.c) and is
 * stacked on a wire to the lab's switch (vecN). Its state is what a host reads and writes through
 * dcbnl, ethtool and sysfs; its counters are consequences of the frames that pass.
 */
#ifndef LABNIC_H
#define LABNIC_H

#include <linux/dcbnl.h>
#include <linux/ethtool.h>
#include <linux/kobject.h>
#include <linux/netdevice.h>
#include <linux/pci.h>

#define LABNIC_MAX_NICS 8
#define LABNIC_PRIOS 8
#define LABNIC_DSCPS 64
#define LABNIC_QUEUES 8
#define LABNIC_MAX_MTU 9216

enum labnic_counter {
	LABNIC_RX_PACKETS,
	LABNIC_RX_BYTES,
	LABNIC_TX_PACKETS,
	LABNIC_TX_BYTES,
	LABNIC_RX_RDMA_PACKETS,
	LABNIC_RX_RDMA_BYTES,
	LABNIC_TX_RDMA_PACKETS,
	LABNIC_TX_RDMA_BYTES,
	LABNIC_RX_OUT_OF_BUFFER,
	LABNIC_RX_DISCARDS,
	LABNIC_TX_DISCARDS,
	LABNIC_RX_OVERSIZE,
	LABNIC_RX_CRC_ERRORS,
	LABNIC_RX_SYMBOL_ERRORS,
	LABNIC_RX_PAUSE_CTRL,
	LABNIC_TX_PAUSE_CTRL,
	LABNIC_LINK_DOWN,
	LABNIC_FEC_CORRECTED,
	LABNIC_FEC_UNCORRECTABLE,
	LABNIC_COUNTERS
};

enum labnic_prio_counter {
	LABNIC_PRIO_RX_BYTES,
	LABNIC_PRIO_RX_PACKETS,
	LABNIC_PRIO_RX_DISCARDS,
	LABNIC_PRIO_TX_BYTES,
	LABNIC_PRIO_TX_PACKETS,
	/* from here on: present in ethtool -S only while PFC is on for the priority */
	LABNIC_PRIO_RX_PAUSE,
	LABNIC_PRIO_TX_PAUSE,
	LABNIC_PRIO_COUNTERS
};
#define LABNIC_PRIO_FIRST_PFC LABNIC_PRIO_RX_PAUSE

enum labnic_trust { LABNIC_TRUST_PCP, LABNIC_TRUST_DSCP };

struct labnic;

/*
 * What tells one NIC family from another. A further family (mlx5 inbox, bnxt_en, ice) is one more
 * file with one of these, named in personality.c. A counter without a name is not shown.
 */
struct labnic_personality {
	const char *name;
	const char *driver;		/* of the pci_driver and of ethtool -i */
	const char *firmware;
	u16 vendor, device, subsystem_vendor, subsystem;
	bool pfc_clears_pause;		/* switching PFC on switches global pause off */
	bool pfc_bounces_link;
	const char *counters[LABNIC_COUNTERS];
	const char *prio_counters[LABNIC_PRIO_COUNTERS];	/* with one %d for the priority */
	const char *const *private_flags;
	unsigned int private_flag_count;
	int (*add_attributes)(struct labnic *nic);	/* sysfs below the netdev; removed by the core */
};

/* One number in a file; the files of one device form trees such as ecn/roce_np/cnp_dscp. */
struct labnic_number {
	struct kobj_attribute attribute;
	char name[32];
	u32 value, min, max;
};
#define LABNIC_MAX_FOLDERS 8
#define LABNIC_MAX_NUMBERS 64

struct labnic {
	struct net_device *netdev;
	struct net_device __rcu *wire;
	struct pci_dev *pdev;
	const struct labnic_personality *is;
	unsigned int slot;

	struct ieee_ets ets;
	struct ieee_pfc pfc;
	struct ieee_maxrate maxrate;
	struct dcbnl_buffer buffer;
	u8 dcbx;
	enum labnic_trust trust;
	u8 dscp_to_prio[LABNIC_DSCPS];	/* the hardware's map; the kernel's APP table shows a part of it */
	unsigned int dscp_entries;	/* DSCP entries in the APP table */

	struct ethtool_pauseparam pause;
	u32 speed;
	u32 fec;			/* ETHTOOL_FEC_* */
	u32 rx_ring, tx_ring, channels;
	u32 private_flags;

	/* one CPU, one softirq at a time: plain counters */
	u64 counter[LABNIC_COUNTERS];
	u64 prio_counter[LABNIC_PRIO_COUNTERS][LABNIC_PRIOS];

	u8 drop_prios;			/* planted fault: priorities whose frames are dropped on receive */
	struct dentry *debug;

	struct kobject *folders[LABNIC_MAX_FOLDERS];
	unsigned int folder_count;
	struct labnic_number numbers[LABNIC_MAX_NUMBERS];
	unsigned int number_count;
};

/* main.c */
extern const struct labnic_personality *labnic_personality;
void labnic_update_carrier(struct labnic *nic);
void labnic_bounce_link(struct labnic *nic);

/* datapath.c */
netdev_tx_t labnic_xmit(struct sk_buff *skb, struct net_device *netdev);
rx_handler_result_t labnic_receive(struct sk_buff **pskb);

/* dcb.c */
extern const struct dcbnl_rtnl_ops labnic_dcb_ops;
void labnic_dcb_defaults(struct labnic *nic);
int labnic_set_trust(struct labnic *nic, enum labnic_trust trust);	/* under RTNL */

/* ethtool.c */
extern const struct ethtool_ops labnic_ethtool_ops;

/* faults.c */
void labnic_add_faults(struct labnic *nic);
void labnic_remove_faults(struct labnic *nic);

/* personality.c */
const struct labnic_personality *labnic_find_personality(const char *name);
struct kobject *labnic_add_folder(struct labnic *nic, const char *name, struct kobject *parent);
int labnic_add_number(struct labnic *nic, struct kobject *folder, const char *name, u32 value, u32 min, u32 max);
void labnic_remove_attributes(struct labnic *nic);

/* one file a NIC family */
extern const struct labnic_personality labnic_mlx5_ofed;

/* pci_bus.c */
int labnic_add_pci_bus(const struct labnic_personality *is, unsigned int functions);

#endif
