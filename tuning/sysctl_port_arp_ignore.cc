#include <array>

#include "tuning/text_fact.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "sysctl.port.arp_ignore";
constexpr std::array kReads{Fact{kKey, Scope::kPort, "/proc/sys/net/ipv4/conf/{netdev}/arp_ignore"}};

}  // namespace

// No value follows from the traffic classes: it is judged where the profile states one.
extern constinit const Setting sysctl_port_arp_ignore{
    .page = {.code = "sysctl.port.arp_ignore",
             .title = "Which addresses the port answers ARP for",
             .why = "With 0 a port answers for every address of the host, so ports that share a subnet give their "
                    "peers one link-layer address for all, and one port carries everything.",
             .remedy = "echo 1 > /proc/sys/net/ipv4/conf/NETDEV/arp_ignore",
             .source = "Documentation/networking/ip-sysctl.rst (arp_ignore); net/ipv4/arp.c"},
    .takes = NumberShape{.min = 0, .max = 8},
    .scope = Scope::kPort,
    .reads = kReads,
    .current = [](const View& view, const Subject&) { return number_fact(view, kKey, 8); },
};

}  // namespace rocert::tuning
