// Network interfaces over rtnetlink.
#pragma once
#include "host/netlink/socket.h"
#include "model/kernel.h"

namespace rocert::netlink {

Observed<std::vector<Link>> read_links(Socket& socket);
// The body of one RTM_NEWLINK message.
Observed<std::optional<Link>> parse_link(Octets body);

Result<> write(Socket& socket, const SetMtu& change);
Result<> write(Socket& socket, const SetLinkUp& change);

}  // namespace rocert::netlink
