#include "model/wants.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace rocert {
namespace {

constexpr double kMegabit = 1e6;

template <class Holds>
bool any_member(const Port& port, Holds holds) {
  return std::any_of(port.members.begin(), port.members.end(), holds);
}

bool has_netdev(const Port& port, std::string_view glob) {
  return matches_glob(glob, port.netdev()) ||
         any_member(port, [&](const Member& member) { return matches_glob(glob, member.netdev); });
}

bool has_driver(const Port& port, std::string_view driver) {
  return any_member(port, [&](const Member& member) {
    return (member.driver && member.driver->driver == driver) || (member.pci && member.pci->driver == driver);
  });
}

bool has_speed(const Port& port, Bandwidth speed) {
  return any_member(port, [&](const Member& member) {
    return member.link_modes && member.link_modes->speed &&
           *member.link_modes->speed * kMegabit == std::round(speed.bits_per_second);
  });
}

bool has_address_in(const Port& port, const Prefix& prefix) {
  return std::any_of(port.addresses.begin(), port.addresses.end(),
                     [&](const Address& address) { return prefix.contains(address.local.address); });
}

// The port's on-link prefix: the first in order, IPv4 before IPv6. An address without a subnet has none.
std::optional<Prefix> on_link_prefix(const Port& port) {
  std::optional<Prefix> first;
  for (const Address& address : port.addresses) {
    const IpAddress& ip = address.local.address;
    if (ip.is_link_local() || ip.is_loopback() || address.local.length == address_bits(ip.family)) continue;
    const Prefix prefix = address.local.network();
    if (!first || prefix < *first) first = prefix;
  }
  return first;
}

std::optional<std::string> rail_of(const Rails& rails, const Port& port) {
  if (rails.by_prefix) {
    const auto prefix = on_link_prefix(port);
    return prefix ? std::optional(to_text(*prefix)) : std::nullopt;
  }
  for (size_t i = 0; i < rails.list.size(); ++i) {
    if (matches(rails.list[i], port)) return std::to_string(i);
  }
  return std::nullopt;
}

const TrafficClass* find_class(const Profile& profile, std::string_view name) {
  const auto found = std::find_if(profile.classes.begin(), profile.classes.end(),
                                  [&](const TrafficClass& traffic) { return traffic.name == name; });
  return found == profile.classes.end() ? nullptr : &*found;
}

const Override* find_override(const Wants& wants, std::string_view key) {
  const auto found = wants.settings.find(std::string(key));
  return found == wants.settings.end() ? nullptr : &found->second;
}

}  // namespace

Bits Wants::lossless() const {
  Bits bits;
  for (const TrafficClass& traffic : classes) {
    if (traffic.lossless && traffic.priority) bits.mask |= uint64_t{1} << traffic.priority->value;
  }
  return bits;
}

bool Wants::is_unmanaged(std::string_view key) const {
  const Override* stated = find_override(*this, key);
  return stated != nullptr && std::holds_alternative<Unmanaged>(*stated);
}

const Value* Wants::stated_value(std::string_view key) const {
  const Override* stated = find_override(*this, key);
  return stated == nullptr ? nullptr : std::get_if<Value>(stated);
}

std::optional<double> Wants::limit(std::string_view key) const {
  const auto found = limits.find(std::string(key));
  return found == limits.end() ? std::nullopt : number_of(found->second);
}

bool matches(const Match& match, const Port& port) {
  return (!match.netdev || has_netdev(port, *match.netdev)) &&
         (!match.rdma || matches_glob(*match.rdma, port.rdma.device)) &&
         (!match.driver || has_driver(port, *match.driver)) &&
         (!match.rdma_driver || *match.rdma_driver == port.rdma.driver) &&
         (!match.speed || has_speed(port, *match.speed)) && (!match.prefix || has_address_in(port, *match.prefix));
}

const Role* role_of(const Profile& profile, const Port& port) {
  const auto found = std::find_if(profile.roles.begin(), profile.roles.end(),
                                  [&](const Role& role) { return matches(role.match, port); });
  return found == profile.roles.end() ? nullptr : &*found;
}

Wants wants_of(const Profile* profile, const Port& port) {
  Wants wants = wants_of(profile);
  if (profile == nullptr) return wants;
  const Role* role = role_of(*profile, port);
  if (role == nullptr) {
    wants.settings.clear();  // such a port is listed, not judged
    return wants;
  }
  wants.role = role->name;
  for (const std::string& name : role->classes) {
    if (const TrafficClass* traffic = find_class(*profile, name)) wants.classes.push_back(*traffic);
  }
  wants.mtu = role->mtu;
  wants.speed = role->speed;
  return wants;
}

Wants wants_of(const Profile* profile) {
  Wants wants;
  if (profile == nullptr) return wants;
  wants.profile_given = true;
  wants.settings = profile->settings;
  wants.limits = profile->limits;
  return wants;
}

std::map<std::string, std::string> rails_of(const Rails& rails, const Snapshot& snapshot) {
  std::map<std::string, std::string> by_netdev;
  for (const Port& port : snapshot.ports) {
    if (const auto rail = rail_of(rails, port)) by_netdev.emplace(port.netdev(), *rail);
  }
  return by_netdev;
}

}  // namespace rocert
