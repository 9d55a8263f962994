// Data centre bridging of one netdev over rtnetlink (RTM_GETDCB, RTM_SETDCB; net/dcb/dcbnl.c).
#pragma once
#include "host/netlink/socket.h"
#include "model/kernel.h"

namespace rocert::netlink {

Observed<Dcb> read_dcb(Socket& socket, const std::string& netdev);
// The body of an IEEE_GET reply.
Observed<Dcb> parse_dcb(Octets body);
// The result of an IEEE_SET, IEEE_DEL or SDCBX inside its reply: an errno, or 0. The message's own acknowledgement says
// success even when the driver refused.
int parse_dcb_result(Octets body);

// Each is one attribute in one message: of several in one, the kernel carries out those before the first that fails.
// A driver without the setter answers success, so that only reading again tells.
Result<> write(Socket& socket, const SetPfc& change);
Result<> write(Socket& socket, const SetEts& change);  // keeps what Ets does not hold: receive side, recommendations
Result<> write(Socket& socket, const SetDcbBuffers& change);
Result<> write(Socket& socket, const AddApp& change);     // present already: fine
Result<> write(Socket& socket, const RemoveApp& change);  // absent already: fine
Result<> write(Socket& socket, const SetTrustOrder& change);
Result<> write(Socket& socket, const SetDcbx& change);

}  // namespace rocert::netlink
