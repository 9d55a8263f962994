#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "tuning/member.h"

namespace rocert::tuning {
namespace {

Observed<Value> current(const View& view, const Subject& subject) {
  const auto member = required_member(view, subject);
  if (!member) return tl::unexpected(member.error());
  const auto& dcb = (*member)->dcb;
  if (!dcb) return tl::unexpected(dcb.error());
  if (!dcb->pfc)
    return gap(GapReason::kNotSupported, "the driver of " + subject.port + " tells no PFC (DCB_ATTR_IEEE_PFC)");
  return Value(Bits{dcb->pfc->enabled, 8});
}

std::optional<Value> wanted(const View& view, const Subject&) {
  if (view.wants.classes.empty()) return std::nullopt;
  return Value(view.wants.lossless());
}

std::string priorities(uint64_t mask) {
  std::vector<std::string> numbers;
  for (unsigned p = 0; p < 8; ++p) {
    if ((mask >> p) & 1) numbers.push_back(std::to_string(p));
  }
  return (numbers.size() == 1 ? "priority " : "priorities ") + join(numbers, ", ");
}

// The lossless traffic that rides one of the priorities, e.g. "rdma (DSCP 26)".
std::string riders(const Wants& wants, uint64_t mask) {
  std::vector<std::string> names;
  for (const TrafficClass& traffic : wants.classes) {
    if (!traffic.lossless || !traffic.priority || ((mask >> traffic.priority->value) & 1) == 0) continue;
    names.push_back(traffic.dscp ? fmt::format("{} (DSCP {})", traffic.name, traffic.dscp->value) : traffic.name);
  }
  return join(names, ", ");
}

std::string says(const View& view, const Subject&, const Value& current, const Value& wanted) {
  const uint64_t seen = std::get<Bits>(current).mask;
  const uint64_t asked = std::get<Bits>(wanted).mask;
  const uint64_t missing = asked & ~seen;
  const uint64_t extra = seen & ~asked;
  if (missing == 0) {
    return fmt::format(
        "The port pauses {}, where the profile has nothing lossless: one slow receiver can then stop "
        "that traffic across the fabric.",
        priorities(extra));
  }
  const std::string traffic = riders(view.wants, missing);
  return fmt::format("{} rides {}, which this port does not pause: it drops under incast{}.",
                     traffic.empty() ? "Lossless traffic" : "Traffic of " + traffic, priorities(missing),
                     extra == 0 ? std::string() : fmt::format(" (it pauses {} instead)", priorities(extra)));
}

}  // namespace

extern constinit const Setting dcb_pfc{
    .page = {.code = "dcb.pfc",
             .title = "PFC on exactly the lossless priorities",
             .why =
                 "A lossless class survives incast only where both ends of every link pause its priority. A priority "
                 "that pauses without need lets one slow receiver stop unrelated traffic.",
             .remedy = "dcb pfc set dev NETDEV prio-pfc all:off 3:on      (mlx5: the link bounces, drain first)\n"
                       "mlnx_qos -i NETDEV --pfc 0,0,0,1,0,0,0,0\n"
                       "Where the NIC's firmware owns DCBX it may replace this: mlnx_qos -i NETDEV -d os",
             .source = "net/dcb/dcbnl.c (IEEE_GET, ieee_pfc); IEEE 802.1Q-2018 clause 36; dcb-pfc(8)"},
    .takes = PrioritiesShape{},
    .scope = Scope::kMember,
    .current = current,
    .wanted = wanted,
    .inapplicable = owned_by_physical_function,
    .says = says,
};

}  // namespace rocert::tuning
