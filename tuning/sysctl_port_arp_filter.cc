#include <array>

#include "tuning/text_fact.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "sysctl.port.arp_filter";
constexpr std::array kReads{Fact{kKey, Scope::kPort, "/proc/sys/net/ipv4/conf/{netdev}/arp_filter"}};

}  // namespace

// No value follows from the traffic classes: it is judged where the profile states one.
extern constinit const Setting sysctl_port_arp_filter{
    .page = {.code = "sysctl.port.arp_filter",
             .title = "Whether the port answers ARP only where it would also reply from",
             .why = "With 1 a port answers only if the kernel would route a reply through it: right with a source "
                    "rule per port, and wrong without, because the first port then answers for all.",
             .remedy = "echo 0 > /proc/sys/net/ipv4/conf/NETDEV/arp_filter",
             .source = "Documentation/networking/ip-sysctl.rst (arp_filter); net/ipv4/arp.c"},
    .takes = FlagShape{},
    .scope = Scope::kPort,
    .reads = kReads,
    .current = [](const View& view, const Subject&) { return flag_fact(view, kKey); },
};

}  // namespace rocert::tuning
