// The layers of a profile: what `extends:` names, fetched through the library and merged as trees, so that every value
// keeps the place where it was written.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/yaml_tree.h"

namespace rocert {

inline constexpr std::string_view kProfileSchema = "rocert/profile/1";
inline constexpr size_t kProfileLayers = 8;  // below the profile itself

struct LayeredProfile {
  YamlNode tree;                    // merged
  std::vector<std::string> layers;  // names of what is below, base first
};

Result<LayeredProfile> read_layers(std::string_view text, const std::string& file, const ProfileLibrary& library);

}  // namespace rocert
