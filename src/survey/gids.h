// The GID table of an RDMA port from sysfs (sysfs-class-infiniband: gids, gid_attrs/types, gid_attrs/ndevs).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "host/host.h"
#include "model/rdma.h"

namespace rocert {

// Every populated entry, by index. Tables are sparse and long (256 to 1024 entries), and an entry is populated where
// its netdev is told: one list, one read an index, two more for each entry found.
Observed<std::vector<Gid>> read_gids(Host& host, const std::string& device, uint32_t port);

// Netdev of the lowest populated entry: the port's own, where nothing better tells it. A Gap when there is none.
Observed<std::string> read_first_gid_netdev(Host& host, const std::string& device, uint32_t port);

}  // namespace rocert
