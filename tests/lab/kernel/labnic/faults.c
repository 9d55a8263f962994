// SPDX-License-Identifier: GPL-2.0
/*
 * Faults that sit in the NIC, planted from inside the guest in debugfs, where no real NIC's attribute lies:
 * labnic/<PCI function>/inject takes "<counter as in ethtool -S> <amount>"; drop_prios is a bit mask of
 * priorities whose frames are dropped, and counted as discards, on receive.
 */
#include <linux/debugfs.h>
#include <linux/uaccess.h>

#include "labnic.h"

static struct dentry *root;

static u64 *find_counter(struct labnic *nic, const char *name)
{
	char candidate[ETH_GSTRING_LEN];
	int i, prio;

	for (i = 0; i < LABNIC_COUNTERS; i++)
		if (nic->is->counters[i] && !strcmp(nic->is->counters[i], name))
			return &nic->counter[i];
	for (i = 0; i < LABNIC_PRIO_COUNTERS; i++)
		for (prio = 0; prio < LABNIC_PRIOS && nic->is->prio_counters[i]; prio++) {
			snprintf(candidate, sizeof(candidate), nic->is->prio_counters[i], prio);
			if (!strcmp(candidate, name))
				return &nic->prio_counter[i][prio];
		}
	return NULL;
}

static ssize_t inject_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct labnic *nic = file->private_data;
	char text[64], name[ETH_GSTRING_LEN];
	unsigned long long amount;
	ssize_t len;
	u64 *counter;

	len = simple_write_to_buffer(text, sizeof(text) - 1, pos, from, count);
	if (len < 0)
		return len;
	text[len] = '\0';
	if (sscanf(text, "%31s %llu", name, &amount) != 2)
		return -EINVAL;
	counter = find_counter(nic, name);
	if (!counter)
		return -ENOENT;
	*counter += amount;
	return count;
}

static const struct file_operations inject_ops = {
	.open = simple_open,
	.write = inject_write,
};

void labnic_add_faults(struct labnic *nic)
{
	if (!root)
		root = debugfs_create_dir("labnic", NULL);
	nic->debug = debugfs_create_dir(pci_name(nic->pdev), root);
	debugfs_create_file("inject", 0200, nic->debug, nic, &inject_ops);
	debugfs_create_x8("drop_prios", 0600, nic->debug, &nic->drop_prios);
}

void labnic_remove_faults(struct labnic *nic)
{
	debugfs_remove_recursive(nic->debug);
}
