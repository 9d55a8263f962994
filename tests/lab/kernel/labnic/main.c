// SPDX-License-Identifier: GPL-2.0
/* The devices: claimed as PCI functions, named as on a server, stacked on their wires. */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <net/addrconf.h>
#include <net/pkt_cls.h>

#include "labnic.h"

static char *personality = "mlx5_ofed";
module_param(personality, charp, 0444);
MODULE_PARM_DESC(personality, "NIC family to look like");
static char *driver;
module_param(driver, charp, 0444);
MODULE_PARM_DESC(driver, "driver name, instead of the personality's");
static unsigned int nics;
module_param(nics, uint, 0444);
MODULE_PARM_DESC(nics, "number of PCI functions; function i sits on vec<i>");
static unsigned int speed = SPEED_400000;
module_param(speed, uint, 0444);
MODULE_PARM_DESC(speed, "link speed in Mb/s");

const struct labnic_personality *labnic_personality;
static struct labnic *devices[LABNIC_MAX_NICS];	/* by PCI slot, under RTNL */

/* Carrier follows the wire: it is there and up. A loss is counted as an event of the link. */
void labnic_update_carrier(struct labnic *nic)
{
	struct net_device *wire = rtnl_dereference(nic->wire);

	if (netif_running(nic->netdev) && wire && netif_running(wire) && netif_carrier_ok(wire)) {
		netif_carrier_on(nic->netdev);
	} else if (netif_carrier_ok(nic->netdev)) {
		netif_carrier_off(nic->netdev);
		nic->counter[LABNIC_LINK_DOWN]++;
	}
}

void labnic_bounce_link(struct labnic *nic)
{
	if (!netif_carrier_ok(nic->netdev))
		return;
	netif_carrier_off(nic->netdev);
	nic->counter[LABNIC_LINK_DOWN]++;
	labnic_update_carrier(nic);
}

static int labnic_open(struct net_device *netdev)
{
	struct labnic *nic = netdev_priv(netdev);
	struct net_device *wire = rtnl_dereference(nic->wire);
	struct inet6_dev *in6;
	int err;

	if (!wire)
		return -ENODEV;
	in6 = __in6_dev_get(wire);
	if (in6)
		in6->cnf.disable_ipv6 = 1;	/* the wire is not a host's port: no addresses of its own */
	err = dev_open(wire, NULL);
	if (err)
		return err;
	netif_tx_start_all_queues(netdev);
	labnic_update_carrier(nic);
	return 0;
}

static int labnic_stop(struct net_device *netdev)
{
	struct labnic *nic = netdev_priv(netdev);
	struct net_device *wire = rtnl_dereference(nic->wire);

	netif_tx_stop_all_queues(netdev);
	netif_carrier_off(netdev);
	if (wire)
		dev_close(wire);
	return 0;
}

static int labnic_setup_tc(struct net_device *netdev, enum tc_setup_type type, void *data)
{
	struct tc_mqprio_qopt *qopt = data;
	int i;

	if (type != TC_SETUP_QDISC_MQPRIO)
		return -EOPNOTSUPP;
	qopt->hw = TC_MQPRIO_HW_OFFLOAD_TCS;
	netdev_reset_tc(netdev);
	if (!qopt->num_tc)
		return 0;
	netdev_set_num_tc(netdev, qopt->num_tc);
	for (i = 0; i < qopt->num_tc; i++)
		netdev_set_tc_queue(netdev, i, qopt->count[i], qopt->offset[i]);
	return 0;
}

static void labnic_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *to)
{
	const struct labnic *nic = netdev_priv(netdev);

	to->rx_packets = nic->counter[LABNIC_RX_PACKETS];
	to->rx_bytes = nic->counter[LABNIC_RX_BYTES];
	to->tx_packets = nic->counter[LABNIC_TX_PACKETS];
	to->tx_bytes = nic->counter[LABNIC_TX_BYTES];
	to->rx_dropped = nic->counter[LABNIC_RX_OUT_OF_BUFFER];
	to->tx_dropped = nic->counter[LABNIC_TX_DISCARDS];
	to->rx_length_errors = nic->counter[LABNIC_RX_OVERSIZE];
	to->rx_crc_errors = nic->counter[LABNIC_RX_CRC_ERRORS];
	to->rx_errors = to->rx_length_errors + to->rx_crc_errors;
}

static int labnic_phys_port_name(struct net_device *netdev, char *name, size_t len)
{
	return snprintf(name, len, "p0") >= len ? -EINVAL : 0;
}

static const struct net_device_ops labnic_netdev_ops = {
	.ndo_open = labnic_open,
	.ndo_stop = labnic_stop,
	.ndo_start_xmit = labnic_xmit,
	.ndo_setup_tc = labnic_setup_tc,
	.ndo_get_stats64 = labnic_get_stats64,
	.ndo_get_phys_port_name = labnic_phys_port_name,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static void attach(struct labnic *nic, struct net_device *wire)
{
	if (netdev_rx_handler_register(wire, labnic_receive, nic)) {
		netdev_err(nic->netdev, "%s is taken\n", wire->name);
		return;
	}
	eth_hw_addr_inherit(nic->netdev, wire);
	rcu_assign_pointer(nic->wire, wire);
}

static void detach(struct labnic *nic)
{
	struct net_device *wire = rtnl_dereference(nic->wire);

	if (!wire)
		return;
	netdev_rx_handler_unregister(wire);
	RCU_INIT_POINTER(nic->wire, NULL);
	labnic_update_carrier(nic);
}

/* Wires register in a late initcall, after us: they are taken when they appear. */
static int labnic_netdev_event(struct notifier_block *block, unsigned long event, void *data)
{
	struct net_device *wire = netdev_notifier_info_to_dev(data);
	char name[IFNAMSIZ];
	int i;

	for (i = 0; i < LABNIC_MAX_NICS; i++) {
		struct labnic *nic = devices[i];

		if (!nic)
			continue;
		snprintf(name, sizeof(name), "vec%d", i);
		if (event == NETDEV_REGISTER && !rtnl_dereference(nic->wire) && !strcmp(name, wire->name))
			attach(nic, wire);
		else if (rtnl_dereference(nic->wire) != wire)
			continue;
		else if (event == NETDEV_UNREGISTER)
			detach(nic);
		else if (event == NETDEV_CHANGE || event == NETDEV_UP || event == NETDEV_DOWN)
			labnic_update_carrier(nic);
	}
	return NOTIFY_DONE;
}

static struct notifier_block labnic_notifier = { .notifier_call = labnic_netdev_event };

static void labnic_setup(struct net_device *netdev)
{
	ether_setup(netdev);
	netdev->netdev_ops = &labnic_netdev_ops;
	netdev->ethtool_ops = &labnic_ethtool_ops;
	netdev->dcbnl_ops = &labnic_dcb_ops;
	netdev->min_mtu = ETH_MIN_MTU;
	netdev->max_mtu = LABNIC_MAX_MTU;
	netdev->features |= NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_FRAGLIST | NETIF_F_HIGHDMA;
	netdev->hw_features = netdev->features;
	netdev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	eth_hw_addr_random(netdev);
}

/* The name that systemd gives port 0 of the card in slot N, from 1 on. */
static struct net_device *labnic_alloc(unsigned int slot)
{
	char name[IFNAMSIZ];

	snprintf(name, sizeof(name), "ens%unp0", slot + 1);
	return alloc_netdev_mqs(sizeof(struct labnic), name, NET_NAME_PREDICTABLE, labnic_setup, LABNIC_QUEUES,
				LABNIC_QUEUES);
}

static int labnic_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	unsigned int slot = PCI_SLOT(pdev->devfn);
	struct net_device *netdev, *wire;
	struct labnic *nic;
	char name[IFNAMSIZ];
	int err;

	err = pcim_enable_device(pdev);
	if (err)
		return err;
	pci_set_master(pdev);
	netdev = labnic_alloc(slot);
	if (!netdev)
		return -ENOMEM;
	nic = netdev_priv(netdev);
	nic->netdev = netdev;
	nic->pdev = pdev;
	nic->is = labnic_personality;
	nic->slot = slot;
	nic->speed = speed;
	nic->fec = ETHTOOL_FEC_AUTO;
	nic->rx_ring = nic->tx_ring = 1024;
	nic->channels = LABNIC_QUEUES;
	labnic_dcb_defaults(nic);
	SET_NETDEV_DEV(netdev, &pdev->dev);
	pci_set_drvdata(pdev, nic);
	netif_carrier_off(netdev);
	err = register_netdev(netdev);
	if (err) {
		free_netdev(netdev);
		return err;
	}
	if (nic->is->add_attributes(nic))
		netdev_warn(netdev, "some attributes are missing\n");
	labnic_add_faults(nic);

	snprintf(name, sizeof(name), "vec%u", slot);
	rtnl_lock();
	devices[slot] = nic;
	wire = __dev_get_by_name(&init_net, name);	/* there already when a function is bound again */
	if (wire && !rtnl_dereference(nic->wire))
		attach(nic, wire);
	rtnl_unlock();
	return 0;
}

static void labnic_remove(struct pci_dev *pdev)
{
	struct labnic *nic = pci_get_drvdata(pdev);
	struct net_device *netdev = nic->netdev;

	rtnl_lock();
	devices[nic->slot] = NULL;
	dev_close(netdev);
	detach(nic);
	rtnl_unlock();
	labnic_remove_faults(nic);
	labnic_remove_attributes(nic);
	unregister_netdev(netdev);	/* waits for the soft-RoCE device on it to go */
	free_netdev(netdev);
}

static struct pci_device_id labnic_ids[2];	/* filled from the personality; the last ends the list */
static struct pci_driver labnic_driver = {
	.id_table = labnic_ids,
	.probe = labnic_probe,
	.remove = labnic_remove,
};

static int __init labnic_init(void)
{
	int err;

	if (!nics)
		return 0;
	labnic_personality = labnic_find_personality(personality);
	if (!labnic_personality) {
		pr_err("labnic: no personality '%s'\n", personality);
		return -EINVAL;
	}
	labnic_driver.name = driver ?: labnic_personality->driver;
	labnic_ids[0] = (struct pci_device_id){ PCI_DEVICE(labnic_personality->vendor, labnic_personality->device) };
	err = labnic_add_pci_bus(labnic_personality, nics);
	if (err)
		return err;
	err = pci_register_driver(&labnic_driver);
	if (err)
		return err;
	err = register_netdevice_notifier(&labnic_notifier);
	if (err)
		pci_unregister_driver(&labnic_driver);
	return err;
}
device_initcall(labnic_init);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("PCI Ethernet device with Data Center Bridging over a vector wire, for tests");
