#include <array>

#include "tuning/text_fact.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "sysctl.all.arp_filter";
constexpr std::array kReads{Fact{kKey, Scope::kHost, "/proc/sys/net/ipv4/conf/all/arp_filter"}};

}  // namespace

// No value follows from the traffic classes: it is judged where the profile states one.
extern constinit const Setting sysctl_all_arp_filter{
    .page = {.code = "sysctl.all.arp_filter",
             .title = "arp_filter for every port at once",
             .why = "It is in force on a port where it is set here or there.",
             .remedy = "echo 0 > /proc/sys/net/ipv4/conf/all/arp_filter",
             .source = "Documentation/networking/ip-sysctl.rst (arp_filter); net/ipv4/arp.c"},
    .takes = FlagShape{},
    .scope = Scope::kHost,
    .reads = kReads,
    .current = [](const View& view, const Subject&) { return flag_fact(view, kKey); },
};

}  // namespace rocert::tuning
