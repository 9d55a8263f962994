// Which RDMA ports a host has and what they are: RoCE, InfiniBand, iWARP, efa, or not to be told.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "host/host.h"
#include "model/rdma.h"
#include "model/snapshot.h"

namespace rocert {

// The ports as RDMA netlink tells them, else as sysfs does (a GID then names the netdev). Where neither is there, the
// Gap of netlink. Drivers that netlink does not name are filled in from sysfs.
Observed<std::vector<RdmaPort>> read_rdma_ports(Host& host);

// What a port is and the fact that decided; no kind: RoCE. Asks sysfs only where netlink told no protocol.
struct RdmaNature {
  std::optional<DeviceKind> other;
  std::string why;
};
RdmaNature read_rdma_nature(Host& host, const RdmaPort& port);

}  // namespace rocert
