#include <array>

#include "tuning/text_fact.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "sysctl.all.arp_ignore";
constexpr std::array kReads{Fact{kKey, Scope::kHost, "/proc/sys/net/ipv4/conf/all/arp_ignore"}};

}  // namespace

// No value follows from the traffic classes: it is judged where the profile states one.
extern constinit const Setting sysctl_all_arp_ignore{
    .page = {.code = "sysctl.all.arp_ignore",
             .title = "Lower bound of arp_ignore for every port",
             .why = "The larger of this and a port's own arp_ignore is in force. 3 here beats 1 and 2 on a port, "
                    "and turns its protection off.",
             .remedy = "echo 1 > /proc/sys/net/ipv4/conf/all/arp_ignore",
             .source = "Documentation/networking/ip-sysctl.rst (arp_ignore); net/ipv4/arp.c"},
    .takes = NumberShape{.min = 0, .max = 8},
    .scope = Scope::kHost,
    .reads = kReads,
    .current = [](const View& view, const Subject&) { return number_fact(view, kKey, 8); },
};

}  // namespace rocert::tuning
