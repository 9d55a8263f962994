// Routes of both families and every table over rtnetlink.
#pragma once
#include "host/netlink/socket.h"
#include "model/kernel.h"

namespace rocert::netlink {

Observed<std::vector<Route>> read_routes(Socket& socket);
// The body of one RTM_NEWROUTE message; nothing for multicast routing and for cached clones.
Observed<std::optional<Route>> parse_route(Octets body);

// A route that is there already is not added again; another one in its place is an Error.
Result<> write(Socket& socket, const AddRoute& change);
Result<> write(Socket& socket, const RemoveRoute& change);  // an absent route is removed already

}  // namespace rocert::netlink
