// Inventory: the hosts of a certification, how to reach them, and where they stand in the topology.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/fields.h"

namespace rocert {

enum class LauncherKind { kLab, kSsh, kSlurm, kManual };
template <>
struct Words<LauncherKind> {
  static constexpr std::array<std::pair<LauncherKind, std::string_view>, 4> values{{{LauncherKind::kLab, "lab"},
                                                                                    {LauncherKind::kSsh, "ssh"},
                                                                                    {LauncherKind::kSlurm, "slurm"},
                                                                                    {LauncherKind::kManual, "manual"}}};
};

// How the launcher is called: PROGRAM OPTIONS... HOST (see fleet/launcher.h).
struct Launch {
  LauncherKind kind = LauncherKind::kSsh;
  std::string program;  // absolute path, or a name found in the default path; empty: the launcher's own default
  std::vector<std::string> options;  // put before the host
  std::string rocert = "rocert";     // path of the binary on the hosts
  bool operator==(const Launch&) const = default;
};

struct Inventory {
  Launch launch;
  std::vector<std::string> hosts;                         // expanded, in order, unique
  std::map<std::string, std::vector<std::string>> racks;  // rack -> hosts
  std::map<std::string, std::vector<std::string>> zones;  // zone -> racks
  std::string cabling;                                    // path of a CSV; empty: none
  bool operator==(const Inventory&) const = default;
};

// Parses `schema: rocert/inventory/1`, as strict as parse_profile; 100,000 hosts at most.
Result<Inventory> parse_inventory(std::string_view text, const std::string& file);

// Expands a Slurm-style host list: "n[01-03,7]a,m1" -> n01a n02a n03a n7a m1. Leading zeros and several brackets are
// kept; names are letters, digits, '.', '-' and '_'. Errors are kMalformed and name the offending text.
Result<std::vector<std::string>> expand_hosts(std::string_view list, size_t limit = 100000);
// A short list of that form which expands to the hosts in their order, each once: neighbours are joined, nothing moves.
std::string compress_hosts(const std::vector<std::string>& hosts);

}  // namespace rocert
