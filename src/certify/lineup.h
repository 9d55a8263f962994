// Lineup: which ports of which hosts meet on which rail, with which traffic class, and in which rounds. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/schedule.h"
#include "model/fabric.h"
#include "model/profile.h"

namespace rocert {

// The ends of one rail that use the same data class.
struct RailLineup {
  std::string rail;
  std::string traffic_class;        // name in the profile; empty: no profile
  uint32_t traffic_class_byte = 0;  // DSCP, and ECT(0) so that a switch can mark instead of drop, as a job's 106 does
  std::vector<End> ends;
  std::vector<Round> rounds;  // of indices into `ends`; ports of one host do not meet each other
  bool operator==(const RailLineup&) const = default;
};

struct Lineup {
  std::vector<RailLineup> rails;  // by name, then class
  std::vector<LeftOut> left_out;  // ports that belong here and cannot take part
  size_t rounds() const;          // of the longest rail: all rails run at the same time
  size_t pairs() const;
  bool operator==(const Lineup&) const = default;
};

// With a profile: ports whose role has a data class; without one: every RoCE port. A port takes part by a routable
// RoCE v2 GID: one within the rail's prefix first, IPv4 first, then the lowest index.
Lineup line_up(const std::vector<FabricHost>& hosts, const Profile* profile);

// "2 of 3 hosts have a snapshot; ...": why a lineup has no pair, in one line.
std::string why_nothing(const std::vector<FabricHost>& hosts, const Lineup& lineup);

}  // namespace rocert
