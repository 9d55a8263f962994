#include "tuning/rp_filter.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "sysctl.all.rp_filter";
constexpr std::array kReads{Fact{kKey, Scope::kHost, "/proc/sys/net/ipv4/conf/all/rp_filter"}};

}  // namespace

// No value follows from the traffic classes: it is judged where the profile states one.
extern constinit const Setting sysctl_all_rp_filter{
    .page = {.code = "sysctl.all.rp_filter",
             .title = "Lower bound of reverse path filtering for every port",
             .why =
                 "The larger of this and a port's own rp_filter is in force: strict here makes every port that is off "
                 "strict, and loose here makes every strict port loose.",
             .remedy = "echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter         (0 off, 1 strict, 2 loose)",
             .source =
                 "Documentation/networking/ip-sysctl.rst (rp_filter); include/linux/inetdevice.h (IN_DEV_RPFILTER)"},
    .takes = ChoiceShape{kReversePathWords},
    .scope = Scope::kHost,
    .reads = kReads,
    .current = [](const View& view, const Subject&) { return reverse_path_word(view.host.facts, kKey); },
};

}  // namespace rocert::tuning
