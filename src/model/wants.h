// Wants: what the profile asks of one port, resolved: its role, classes, MTU, speed, overrides and limits.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/snapshot.h"

namespace rocert {

struct Wants {
  bool profile_given = false;
  std::string role;                   // empty: no role matched; the port is listed, not judged by intent
  std::vector<TrafficClass> classes;  // of the role, in order; the first is the data class
  std::optional<Between> mtu;
  std::optional<Bandwidth> speed;
  std::map<std::string, Override> settings;
  std::map<std::string, Value> limits;

  bool stated() const { return profile_given && !role.empty(); }
  // Priorities of the lossless classes. Only meaningful when stated().
  Bits lossless() const;
  const TrafficClass* data_class() const { return classes.empty() ? nullptr : &classes.front(); }
  bool is_unmanaged(std::string_view key) const;
  // The value that the profile states for a setting outright; none: derive it, or it is unmanaged.
  const Value* stated_value(std::string_view key) const;
  std::optional<double> limit(std::string_view key) const;  // numbers in the limit's unit
};

// True when every stated condition of the match holds for the port. A fact that is a Gap does not match.
bool matches(const Match& match, const Port& port);
// Role of a port: first match wins; null when none does.
const Role* role_of(const Profile& profile, const Port& port);
// Without a profile (null): nothing is wanted, nothing is stated.
Wants wants_of(const Profile* profile, const Port& port);
// Host-scope wants: overrides and limits only.
Wants wants_of(const Profile* profile);

// Rail of every RoCE port, by netdev: as stated, or by the order of their on-link prefixes (IPv4 first, link-local
// never). Ports without a rail are left out.
std::map<std::string, std::string> rails_of(const Rails& rails, const Snapshot& snapshot);

}  // namespace rocert
