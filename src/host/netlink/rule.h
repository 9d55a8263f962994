// Policy routing rules of both families over rtnetlink, parsed attribute by attribute: nothing of a rule is dropped.
#pragma once
#include "host/netlink/socket.h"
#include "model/kernel.h"

namespace rocert::netlink {

Observed<std::vector<Rule>> read_rules(Socket& socket);
// The body of one RTM_NEWRULE message; nothing for multicast routing.
Observed<std::optional<Rule>> parse_rule(Octets body);

// A rule that is there already is not added again, an absent one is removed already. A rule with unread selectors is
// refused: it could not be written back as it was.
Result<> write(Socket& socket, const AddRule& change);
Result<> write(Socket& socket, const RemoveRule& change);

}  // namespace rocert::netlink
