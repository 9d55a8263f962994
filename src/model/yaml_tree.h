// A YAML document as a plain tree in which every node knows its place. Bounded, and without what a configuration does
// not need: anchors, aliases, tags, several documents.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rocert {

inline constexpr size_t kYamlBytes = size_t{1} << 20;
inline constexpr size_t kYamlDepth = 16;
inline constexpr size_t kYamlNodes = 200'000;
inline constexpr size_t kYamlKeyLength = 200;  // bytes

struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  Place place;
  std::string text;     // of a scalar, as written: reading it as a number is the reader's
  bool quoted = false;  // of a scalar
  std::string key;      // under which it stands in a map; an element of a list bears the list's key
  Place key_place;
  std::vector<YamlNode> children;  // of a list or a map, in order; keys of a map are unique
};

// Errors are kMalformed with file, line and column. The root is a map.
Result<YamlNode> parse_yaml(std::string_view text, const std::string& file);

// The child of a map under that key, null when there is none.
const YamlNode* find_child(const YamlNode& map, std::string_view key);
YamlNode* find_child(YamlNode& map, std::string_view key);

}  // namespace rocert
