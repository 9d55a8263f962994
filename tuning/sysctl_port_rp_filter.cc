#include "tuning/rp_filter.h"

namespace rocert::tuning {
namespace {

constexpr std::string_view kKey = "sysctl.port.rp_filter";
constexpr std::string_view kAllKey = "sysctl.all.rp_filter";
constexpr std::array kReads{Fact{kKey, Scope::kPort, "/proc/sys/net/ipv4/conf/{netdev}/rp_filter"},
                            Fact{kAllKey, Scope::kHost, "/proc/sys/net/ipv4/conf/all/rp_filter"}};
const Value kOff = std::string("off");
const Value kStrict = std::string("strict");
const Value kLoose = std::string("loose");

// A port that is off is judged together with `all`: where that is not known, neither is what is in force.
Observed<Value> current(const View& view, const Subject&) {
  const auto own = reverse_path_word(view.port->facts, kKey);
  const Value* stated = view.wants.stated_value(kKey);
  if (own == kOff && stated != nullptr && *stated == kLoose) {
    const auto all = reverse_path_word(view.host.facts, kAllKey);
    if (!all) return all;
  }
  return own;
}

// Off filters less than loose asks for, unless `all` makes the port strict: the larger of the two is in force.
bool satisfies(const View& view, const Subject&, const Value& current, const Value& wanted) {
  if (current == wanted) return true;
  return wanted == kLoose && current == kOff && reverse_path_word(view.host.facts, kAllKey) != kStrict;
}

std::string says(const View&, const Subject&, const Value& current, const Value& wanted) {
  if (current == kStrict) return "Replies that arrive by another port than the route back would take are dropped.";
  if (wanted == kStrict) return "Packets with a source that is not routed through this port are accepted.";
  return "The filter in force on this port is not the one that the profile states.";
}

}  // namespace

// No value follows from the traffic classes: it is judged where the profile states one.
extern constinit const Setting sysctl_port_rp_filter{
    .page =
        {.code = "sysctl.port.rp_filter",
         .title = "Reverse path filtering of the port",
         .why =
             "Strict filtering drops a packet when the route back to its source leaves by another port, which is the "
             "rule and not the exception on hosts with several ports.",
         .remedy = "echo 2 > /proc/sys/net/ipv4/conf/NETDEV/rp_filter      (0 off, 1 strict, 2 loose)",
         .source = "Documentation/networking/ip-sysctl.rst (rp_filter); include/linux/inetdevice.h (IN_DEV_RPFILTER)"},
    .takes = ChoiceShape{kReversePathWords},
    .scope = Scope::kPort,
    .reads = kReads,
    .current = current,
    .satisfies = satisfies,
    .says = says,
};

}  // namespace rocert::tuning
