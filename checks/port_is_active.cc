#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "audit/check.h"

namespace rocert::checks {
namespace {

constexpr std::array<std::string_view, 3> kCovers{"gid-is-routable-rocev2", "rdma-mtu-is-as-wanted",
                                                  "own-address-leaves-by-own-port"};

// What the port says of itself, as far as it is told: "down (disabled), link down, no carrier".
std::string state_text(const Port& port) {
  std::string text = port.rdma.state;
  if (!port.rdma.physical_state.empty()) text += " (" + port.rdma.physical_state + ")";
  if (!port.link.operstate.empty()) text += ", link " + port.link.operstate;
  if (!port.link.admin_up) text += ", administratively down";
  if (port.link.carrier) text += *port.link.carrier ? ", carrier" : ", no carrier";
  return text;
}

// Without a profile a port is taken to be in use when somebody gave it an address.
bool is_in_use(const View& view, const Port& port) {
  if (view.wants.stated()) return true;
  return port.link.admin_up && std::ranges::any_of(port.addresses, [](const Address& a) {
           return !a.local.address.is_link_local() && !a.local.address.is_loopback();
         });
}

std::vector<Judgement> judge(const View& view, const Port& port) {
  if (port.rdma.state == "active") return {pass("active")};
  if (port.rdma.state.empty())
    return {unknown({GapReason::kAbsent, "the state of " + port.rdma.device + " was not told"}, "active")};
  if (!is_in_use(view, port)) {
    Judgement unused = not_applicable("nothing says that this port is in use: no profile, and no address on it");
    unused.seen = state_text(port);
    return {unused};
  }
  Judgement judgement = failure(state_text(port), "active", "No RDMA traffic passes this port.");
  judgement.evidence = {fmt::format("rdma link {}/{}", port.rdma.device, port.rdma.port)};
  if (port.link.carrier_down_count)
    judgement.evidence.push_back(fmt::format("the carrier was lost {} times", *port.link.carrier_down_count));
  return {judgement};
}

}  // namespace

extern constinit const Check port_is_active{
    .page =
        {.code = "port-is-active",
         .title = "The RDMA port is active",
         .why = "A port that is not active carries nothing. A job that uses it hangs at its first connection, and what "
                "else is wrong with the port cannot be seen before it is up.",
         .remedy = "ip link set dev NETDEV up\n"
                   "rdma link show RDMA_DEVICE/1; ethtool NETDEV      (speed, FEC and whether a link is detected)\n"
                   "Without a carrier: reseat or swap cable and optic, look at the switch port.",
         .source = "rdma-link(8) (RDMA_NLDEV_ATTR_PORT_STATE); rtnetlink(7)"},
    .severity = Severity::kError,
    .covers = kCovers,
    .rule = PortRule(judge),
};

}  // namespace rocert::checks
