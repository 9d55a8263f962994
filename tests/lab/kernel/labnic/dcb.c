// SPDX-License-Identifier: GPL-2.0
/*
 * IEEE 802.1Qaz and 802.1Qbb state, with mlx5's habits: only DSCP entries in the APP table, one priority a
 * DSCP, the first entry switches trust to DSCP and the removal of the last switches it back. Adding one
 * entry leaves the other 63 of the hardware's map as they were, unseen in the table.
 */
#include <linux/rtnetlink.h>
#include <net/dcbnl.h>

#include "labnic.h"

#define BUFFER_TOTAL 1048576
#define BUFFER_DEFAULT 262144

void labnic_dcb_defaults(struct labnic *nic)
{
	int i;

	nic->ets.ets_cap = IEEE_8021QAZ_MAX_TCS;
	for (i = 0; i < IEEE_8021QAZ_MAX_TCS; i++) {
		nic->ets.tc_tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
		nic->ets.prio_tc[i] = i > 1 ? i : !i;	/* priority 0 is above 1, as 802.1Q has it */
	}
	nic->dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
	nic->buffer.total_size = BUFFER_TOTAL;
	nic->buffer.buffer_size[0] = BUFFER_DEFAULT;
	for (i = 0; i < LABNIC_DSCPS; i++)
		nic->dscp_to_prio[i] = i >> 3;
}

static int get_ets(struct net_device *netdev, struct ieee_ets *ets)
{
	*ets = ((struct labnic *)netdev_priv(netdev))->ets;
	return 0;
}

static int set_ets(struct net_device *netdev, struct ieee_ets *ets)
{
	struct labnic *nic = netdev_priv(netdev);
	bool shared = false;
	int i, sum = 0;

	for (i = 0; i < IEEE_8021QAZ_MAX_TCS; i++) {
		if (ets->prio_tc[i] >= IEEE_8021QAZ_MAX_TCS)
			return -EINVAL;
		if (ets->tc_tsa[i] != IEEE_8021QAZ_TSA_ETS)
			continue;
		shared = true;
		sum += ets->tc_tx_bw[i];
	}
	if (shared && sum != 100) {
		netdev_err(netdev, "the ETS classes' shares add up to %d, not 100\n", sum);
		return -EINVAL;
	}
	nic->ets = *ets;
	nic->ets.ets_cap = IEEE_8021QAZ_MAX_TCS;
	return 0;
}

static int get_pfc(struct net_device *netdev, struct ieee_pfc *pfc)
{
	struct labnic *nic = netdev_priv(netdev);
	int i;

	*pfc = nic->pfc;
	pfc->pfc_cap = IEEE_8021QAZ_MAX_TCS;
	for (i = 0; i < LABNIC_PRIOS; i++) {
		pfc->requests[i] = nic->prio_counter[LABNIC_PRIO_TX_PAUSE][i];
		pfc->indications[i] = nic->prio_counter[LABNIC_PRIO_RX_PAUSE][i];
	}
	return 0;
}

static int set_pfc(struct net_device *netdev, struct ieee_pfc *pfc)
{
	struct labnic *nic = netdev_priv(netdev);
	bool changed = nic->pfc.pfc_en != pfc->pfc_en;

	nic->pfc.pfc_en = pfc->pfc_en;
	nic->pfc.mbc = pfc->mbc;
	nic->pfc.delay = pfc->delay;
	if (pfc->pfc_en && nic->is->pfc_clears_pause)
		nic->pause.rx_pause = nic->pause.tx_pause = 0;
	if (changed && nic->is->pfc_bounces_link)
		labnic_bounce_link(nic);
	return 0;
}

static int get_maxrate(struct net_device *netdev, struct ieee_maxrate *maxrate)
{
	*maxrate = ((struct labnic *)netdev_priv(netdev))->maxrate;
	return 0;
}

static int set_maxrate(struct net_device *netdev, struct ieee_maxrate *maxrate)
{
	((struct labnic *)netdev_priv(netdev))->maxrate = *maxrate;
	return 0;
}

static struct dcb_app entry_of(const struct labnic *nic, unsigned int dscp)
{
	return (struct dcb_app){
		.selector = IEEE_8021QAZ_APP_SEL_DSCP,
		.protocol = dscp,
		.priority = nic->dscp_to_prio[dscp],
	};
}

static int set_app(struct net_device *netdev, struct dcb_app *app)
{
	struct labnic *nic = netdev_priv(netdev);
	struct dcb_app before;
	int err;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= LABNIC_DSCPS ||
	    app->priority >= LABNIC_PRIOS)
		return -EINVAL;
	before = entry_of(nic, app->protocol);
	if (!dcb_ieee_delapp(netdev, &before))
		nic->dscp_entries--;
	err = dcb_ieee_setapp(netdev, app);
	if (err)
		return err;
	nic->dscp_to_prio[app->protocol] = app->priority;
	nic->dscp_entries++;
	nic->trust = LABNIC_TRUST_DSCP;
	return 0;
}

static int del_app(struct net_device *netdev, struct dcb_app *app)
{
	struct labnic *nic = netdev_priv(netdev);
	int err;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= LABNIC_DSCPS)
		return -EINVAL;
	err = dcb_ieee_delapp(netdev, app);	/* ENOENT unless the priority matches too */
	if (err)
		return err;
	nic->dscp_to_prio[app->protocol] = 0;
	if (!--nic->dscp_entries)
		nic->trust = LABNIC_TRUST_PCP;
	return 0;
}

/* The way through sysfs: the table then shows the hardware's map as a whole, or nothing. */
int labnic_set_trust(struct labnic *nic, enum labnic_trust trust)
{
	unsigned int dscp;

	for (dscp = 0; dscp < LABNIC_DSCPS && trust != nic->trust; dscp++) {
		struct dcb_app app = entry_of(nic, dscp);
		int err;

		if (trust == LABNIC_TRUST_PCP) {
			dcb_ieee_delapp(nic->netdev, &app);
			continue;
		}
		err = dcb_ieee_setapp(nic->netdev, &app);
		if (err)
			return err;
	}
	if (trust != nic->trust)
		nic->dscp_entries = trust == LABNIC_TRUST_DSCP ? LABNIC_DSCPS : 0;
	nic->trust = trust;
	return 0;
}

static int get_app(struct net_device *netdev, struct dcb_app *app)
{
	return dcb_ieee_getapp_mask(netdev, app);
}

static u8 get_dcbx(struct net_device *netdev)
{
	return ((struct labnic *)netdev_priv(netdev))->dcbx;
}

/* 1 is a refusal. Mode 0 hands DCBX back to the firmware. */
static u8 set_dcbx(struct net_device *netdev, u8 mode)
{
	struct labnic *nic = netdev_priv(netdev);

	if (mode & (DCB_CAP_DCBX_LLD_MANAGED | DCB_CAP_DCBX_VER_CEE))
		return 1;
	nic->dcbx = mode;
	return 0;
}

static int get_buffer(struct net_device *netdev, struct dcbnl_buffer *buffer)
{
	*buffer = ((struct labnic *)netdev_priv(netdev))->buffer;
	return 0;
}

static int set_buffer(struct net_device *netdev, struct dcbnl_buffer *buffer)
{
	struct labnic *nic = netdev_priv(netdev);
	u64 sum = 0;
	int i;

	for (i = 0; i < DCBX_MAX_BUFFERS; i++)
		sum += buffer->buffer_size[i];
	for (i = 0; i < LABNIC_PRIOS; i++)
		if (buffer->prio2buffer[i] >= DCBX_MAX_BUFFERS)
			return -EINVAL;
	if (sum > BUFFER_TOTAL)
		return -EINVAL;
	nic->buffer = *buffer;
	nic->buffer.total_size = BUFFER_TOTAL;
	return 0;
}

const struct dcbnl_rtnl_ops labnic_dcb_ops = {
	.ieee_getets = get_ets,
	.ieee_setets = set_ets,
	.ieee_getpfc = get_pfc,
	.ieee_setpfc = set_pfc,
	.ieee_getmaxrate = get_maxrate,
	.ieee_setmaxrate = set_maxrate,
	.ieee_setapp = set_app,
	.ieee_getapp = get_app,
	.ieee_delapp = del_app,
	.getdcbx = get_dcbx,
	.setdcbx = set_dcbx,
	.dcbnl_getbuffer = get_buffer,
	.dcbnl_setbuffer = set_buffer,
};
