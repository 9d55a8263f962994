#include <array>

#include "tuning/text_fact.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "sysctl.port.arp_announce";
constexpr std::array kReads{Fact{kKey, Scope::kPort, "/proc/sys/net/ipv4/conf/{netdev}/arp_announce"}};

}  // namespace

// No value follows from the traffic classes: it is judged where the profile states one.
extern constinit const Setting sysctl_port_arp_announce{
    .page = {.code = "sysctl.port.arp_announce",
             .title = "Which source address the port's ARP requests carry",
             .why = "With 0 a request may name the address of another port, and the peer then remembers the wrong "
                    "link-layer address for it.",
             .remedy = "echo 2 > /proc/sys/net/ipv4/conf/NETDEV/arp_announce",
             .source = "Documentation/networking/ip-sysctl.rst (arp_announce); net/ipv4/arp.c"},
    .takes = NumberShape{.min = 0, .max = 2},
    .scope = Scope::kPort,
    .reads = kReads,
    .current = [](const View& view, const Subject&) { return number_fact(view, kKey, 2); },
};

}  // namespace rocert::tuning
