// What settings of a member share: the member or the Gap that there is none, and why a virtual function has no QoS of
// its own.
#pragma once
#include <optional>
#include <string>

#include "tune/setting.h"

namespace rocert::tuning {

// The member that the subject names, or a Gap: no physical port was found below the port (a macvlan in a container).
inline Observed<const Member*> required_member(const View& view, const Subject& subject) {
  if (const Member* member = member_of(view, subject)) return member;
  return gap(GapReason::kAbsent, "no physical port was found below " + subject.port);
}

inline bool is_virtual_function(const Member& member) { return member.pci && member.pci->virtual_function; }

// A virtual function inherits the port's QoS and has no say in it (mlx5 attaches DCB to the port's owner only).
inline std::optional<std::string> owned_by_physical_function(const View& view, const Subject& subject) {
  const Member* member = member_of(view, subject);
  if (member == nullptr || !is_virtual_function(*member)) return std::nullopt;
  return "a virtual function: its port's QoS belongs to the physical function; audit that on the host that owns it";
}

// "dscp", "pcp" or "none" as the member's driver expresses it; nothing where the driver has no such state.
inline std::optional<Observed<std::string>> trust_of(const View& view, const Member& member) {
  const std::string module = kernel_module(member);
  if (module.empty()) return gap(GapReason::kAbsent, "no driver of " + member.netdev + " was told");
  const auto trust = view.drivers.find(module).trust;
  if (trust == nullptr) return std::nullopt;
  return trust(member);
}

}  // namespace rocert::tuning
