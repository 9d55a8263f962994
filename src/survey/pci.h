// The device below a netdev and, where it is one, its PCI function (sysfs-bus-pci).
#pragma once
#include <string>

#include "host/host.h"
#include "model/snapshot.h"

namespace rocert {

// Name of the device that a netdev belongs to: "0000:40:00.0", "virtio0", "mlx5_core.sf.4". Absent: a virtual netdev.
Observed<std::string> read_parent(Host& host, const std::string& netdev);

// Facts of the PCI function of that name; a Gap "not supported" for a device of another bus.
Observed<PciFunction> read_pci_function(Host& host, const Observed<std::string>& parent);

}  // namespace rocert
