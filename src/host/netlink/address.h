// Addresses of network interfaces over rtnetlink, both families.
#pragma once
#include "host/netlink/socket.h"
#include "model/kernel.h"

namespace rocert::netlink {

Observed<std::vector<Address>> read_addresses(Socket& socket);
// The body of one RTM_NEWADDR message; nothing for other families.
Observed<std::optional<Address>> parse_address(Octets body);

Result<> write(Socket& socket, const AddAddress& change);
Result<> write(Socket& socket, const RemoveAddress& change);  // an absent address is removed already

}  // namespace rocert::netlink
