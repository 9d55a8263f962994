// SPDX-License-Identifier: GPL-2.0
/* A PCI host bridge at bus 0x40 without hardware: one function per slot, with its configuration space in memory. */
#include <linux/pci.h>

#include "labnic.h"

#define FIRST_BUS 0x40
#define CONFIG_SIZE 4096
#define LANES 16
#define EXPRESS 0x48	/* where the PCI Express capability lies */

static u8 config[LABNIC_MAX_NICS][CONFIG_SIZE];
static unsigned int function_count;

static u8 *registers(unsigned int devfn, int where, int size)
{
	if (PCI_FUNC(devfn) || PCI_SLOT(devfn) >= function_count || where + size > CONFIG_SIZE)
		return NULL;
	return config[PCI_SLOT(devfn)] + where;
}

static int config_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	const u8 *at = registers(devfn, where, size);

	*value = ~0;
	if (!at)
		return PCIBIOS_DEVICE_NOT_FOUND;
	*value = 0;
	memcpy(value, at, size);
	return PCIBIOS_SUCCESSFUL;
}

/* Of the header only the command register can be written (it remembers bus mastering): there are no BARs. */
static int config_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value)
{
	u8 *at = registers(devfn, where, size);

	if (!at)
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (where == PCI_COMMAND || where >= PCI_STD_HEADER_SIZEOF)
		memcpy(at, &value, size);
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops config_ops = { .read = config_read, .write = config_write };

static void put16(u8 *space, int where, u16 value)
{
	memcpy(space + where, &value, sizeof(value));
}

static void put32(u8 *space, int where, u32 value)
{
	memcpy(space + where, &value, sizeof(value));
}

/* An Ethernet controller, x16 at 32 GT/s, both capable and trained. */
static void fill(u8 *space, const struct labnic_personality *is)
{
	const u16 speeds_up_to_32gt = PCI_EXP_LNKCAP2_SLS_2_5GB | PCI_EXP_LNKCAP2_SLS_5_0GB |
				      PCI_EXP_LNKCAP2_SLS_8_0GB | PCI_EXP_LNKCAP2_SLS_16_0GB |
				      PCI_EXP_LNKCAP2_SLS_32_0GB;

	put16(space, PCI_VENDOR_ID, is->vendor);
	put16(space, PCI_DEVICE_ID, is->device);
	put16(space, PCI_STATUS, PCI_STATUS_CAP_LIST);
	put16(space, PCI_CLASS_DEVICE, PCI_CLASS_NETWORK_ETHERNET);
	put16(space, PCI_SUBSYSTEM_VENDOR_ID, is->subsystem_vendor);
	put16(space, PCI_SUBSYSTEM_ID, is->subsystem);
	space[PCI_CAPABILITY_LIST] = EXPRESS;

	space[EXPRESS] = PCI_CAP_ID_EXP;
	put16(space, EXPRESS + PCI_EXP_FLAGS, 2 /* version */ | PCI_EXP_TYPE_ENDPOINT << 4);
	put32(space, EXPRESS + PCI_EXP_DEVCAP, 2 /* payload up to 512 */ | PCI_EXP_DEVCAP_EXT_TAG);
	put16(space, EXPRESS + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_READRQ_4096B | PCI_EXP_DEVCTL_PAYLOAD_512B |
					       PCI_EXP_DEVCTL_EXT_TAG | PCI_EXP_DEVCTL_RELAX_EN);
	put32(space, EXPRESS + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_32_0GB | LANES << 4);
	put16(space, EXPRESS + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_CLS_32_0GB | LANES << PCI_EXP_LNKSTA_NLW_SHIFT);
	put32(space, EXPRESS + PCI_EXP_LNKCAP2, speeds_up_to_32gt);
}

static struct resource bus_numbers = {
	.name = "labnic bus",
	.start = FIRST_BUS,
	.end = FIRST_BUS,
	.flags = IORESOURCE_BUS,
};

int labnic_add_pci_bus(const struct labnic_personality *is, unsigned int functions)
{
	struct pci_host_bridge *bridge;
	struct device *parent;
	unsigned int i;

	function_count = min_t(unsigned int, functions, LABNIC_MAX_NICS);
	for (i = 0; i < function_count; i++)
		fill(config[i], is);
	parent = root_device_register("labnic");
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	bridge = pci_alloc_host_bridge(0);
	if (!bridge) {
		root_device_unregister(parent);
		return -ENOMEM;
	}
	bridge->dev.parent = parent;
	bridge->ops = &config_ops;
	bridge->busnr = FIRST_BUS;
	pci_add_resource(&bridge->windows, &bus_numbers);
	return pci_host_probe(bridge);
}
