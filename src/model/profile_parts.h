// The sections of a profile, read one by one from the merged tree. Each checks what it states against the others'.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/profile.h"
#include "model/yaml_tree.h"

namespace rocert {

// One DSCP rides one priority; a lossless class states its priority.
Result<std::vector<TrafficClass>> read_classes(const YamlNode& node);
// A role names classes that exist, and no earlier role takes every port that it could match.
Result<std::vector<Role>> read_roles(const YamlNode& node, const std::vector<TrafficClass>& classes);
Result<Rails> read_rails(const YamlNode& node);

Result<std::map<std::string, Override>> read_settings(const YamlNode& node, const KnownKeys& keys);
Result<std::map<std::string, Value>> read_limits(const YamlNode& node, const KnownKeys& keys);
// A list of codes of checks and keys of settings.
Result<std::set<std::string>> read_codes(const YamlNode& node, const KnownKeys& keys);
Result<std::vector<Waiver>> read_waivers(const YamlNode& node, const KnownKeys& keys);
Result<Congestion> read_congestion(const YamlNode& node);

}  // namespace rocert
