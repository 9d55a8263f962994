#include <algorithm>
#include <array>

#include "tuning/member.h"

namespace rocert::tuning {
namespace {

constexpr std::array<std::string_view, 2> kWords{"dscp", "pcp"};

Observed<Value> current(const View& view, const Subject& subject) {
  const auto member = required_member(view, subject);
  if (!member) return tl::unexpected(member.error());
  const auto trust = trust_of(view, **member);
  if (!trust) return gap(GapReason::kNotSupported, "the driver of " + subject.port + " has no trust state");
  if (!*trust) return tl::unexpected(trust->error());
  return Value(**trust);
}

// Only a class that is told apart by its DSCP needs it trusted; a plan by VLAN priority asks for nothing here.
std::optional<Value> wanted(const View& view, const Subject&) {
  const bool by_dscp =
      std::ranges::any_of(view.wants.classes, [](const TrafficClass& c) { return c.dscp && c.priority; });
  return by_dscp ? std::optional(Value(std::string("dscp"))) : std::nullopt;
}

std::optional<std::string> inapplicable(const View& view, const Subject& subject) {
  if (auto reason = owned_by_physical_function(view, subject)) return reason;
  const Member* member = member_of(view, subject);
  if (member == nullptr || trust_of(view, *member)) return std::nullopt;
  return "the driver has no trust state: each entry of the DSCP map counts by itself";
}

std::string says(const View&, const Subject&, const Value& current, const Value& wanted) {
  if (wanted == Value(std::string("pcp"))) return "Traffic that is marked by VLAN priority alone is not told apart.";
  return current == Value(std::string("pcp"))
             ? "Untagged traffic lands in priority 0 whatever its DSCP: its own queue and pause never apply."
             : "The port looks at no mark: all traffic shares its default priority.";
}

}  // namespace

extern constinit const Setting dcb_trust{
    .page = {.code = "dcb.trust",
             .title = "Which mark of a packet gives its priority",
             .why =
                 "A port that trusts PCP reads the VLAN tag alone: untagged RoCE traffic lands in priority 0 whatever "
                 "its DSCP, so neither its queue nor its pause ever applies.",
             .remedy =
                 "mlnx_qos -i NETDEV --trust dscp\n"
                 "dcb apptrust set dev NETDEV order dscp               (Linux 6.3 and later, where the driver can)\n"
                 "dcb app add dev NETDEV dscp-prio 26:3                (ice, mlx5: the first entry switches it)",
             .source = "drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c (setapp); dcb-apptrust(8)"},
    .takes = ChoiceShape{kWords},
    .scope = Scope::kMember,
    .current = current,
    .wanted = wanted,
    .inapplicable = inapplicable,
    .says = says,
};

}  // namespace rocert::tuning
