#include <array>

#include "tuning/text_fact.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "sysctl.all.arp_announce";
constexpr std::array kReads{Fact{kKey, Scope::kHost, "/proc/sys/net/ipv4/conf/all/arp_announce"}};

}  // namespace

// No value follows from the traffic classes: it is judged where the profile states one.
extern constinit const Setting sysctl_all_arp_announce{
    .page = {.code = "sysctl.all.arp_announce",
             .title = "Lower bound of arp_announce for every port",
             .why = "The larger of this and a port's own arp_announce is in force.",
             .remedy = "echo 2 > /proc/sys/net/ipv4/conf/all/arp_announce",
             .source = "Documentation/networking/ip-sysctl.rst (arp_announce); net/ipv4/arp.c"},
    .takes = NumberShape{.min = 0, .max = 2},
    .scope = Scope::kHost,
    .reads = kReads,
    .current = [](const View& view, const Subject&) { return number_fact(view, kKey, 2); },
};

}  // namespace rocert::tuning
