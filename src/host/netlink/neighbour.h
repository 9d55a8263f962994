// Neighbour entries over rtnetlink, both families.
#pragma once
#include "host/netlink/socket.h"
#include "model/kernel.h"

namespace rocert::netlink {

Observed<std::vector<Neighbour>> read_neighbours(Socket& socket);
// The body of one RTM_NEWNEIGH message; nothing for a bridge's forwarding entries and the like.
Observed<std::optional<Neighbour>> parse_neighbour(Octets body);

Result<> write(Socket& socket, const AddNeighbour& change);
Result<> write(Socket& socket, const RemoveNeighbour& change);  // an absent entry is removed already

}  // namespace rocert::netlink
