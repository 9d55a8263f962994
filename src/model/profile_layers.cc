#include "model/profile_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/yaml_reader.h"

namespace rocert {
namespace {

// How deep a section merges by key; all else is replaced as a whole.
int merge_depth(std::string_view section) {
  if (section == "classes" || section == "roles" || section == "limits") return 2;
  if (section == "settings" || section == "congestion") return 1;
  return 0;
}

// What a layer says of itself is not inherited.
bool is_inherited(std::string_view key) {
  constexpr std::array<std::string_view, 5> kOwn{"schema", "name", "description", "extends", "layers"};
  return std::find(kOwn.begin(), kOwn.end(), key) == kOwn.end();
}

// Children of the upper map first, in its order, then those that only the lower one has.
void merge_into(YamlNode& upper, const YamlNode& lower, int depth) {
  if (depth == 0 || upper.kind != YamlNode::Kind::kMap || lower.kind != YamlNode::Kind::kMap) return;
  for (const YamlNode& child : lower.children) {
    if (YamlNode* mine = find_child(upper, child.key)) {
      merge_into(*mine, child, depth - 1);
    } else {
      upper.children.push_back(child);
    }
  }
}

void merge_layer(YamlNode& upper, const YamlNode& lower) {
  for (const YamlNode& section : lower.children) {
    if (!is_inherited(section.key)) continue;
    if (YamlNode* mine = find_child(upper, section.key)) {
      merge_into(*mine, section, merge_depth(section.key));
    } else {
      upper.children.push_back(section);
    }
  }
}

Result<YamlNode> read_layer(std::string_view text, const std::string& file) {
  YamlNode tree = TRY(parse_yaml(text, file));
  TRY(read_schema(tree, kProfileSchema));
  return tree;
}

// A profile that was merged before says what it was merged from (to_yaml).
Result<std::vector<std::string>> stated_layers(const YamlNode& tree) {
  const YamlNode* layers = find_child(tree, "layers");
  return layers == nullptr ? std::vector<std::string>() : read_list(*layers, read_name);
}

}  // namespace

Result<LayeredProfile> read_layers(std::string_view text, const std::string& file, const ProfileLibrary& library) {
  std::vector<YamlNode> trees{TRY(read_layer(text, file))};
  std::vector<std::string> names;
  while (const YamlNode* extends = find_child(trees.back(), "extends")) {
    const std::string name = TRY(read_name(*extends));
    if (const YamlNode* layers = find_child(trees.back(), "layers")) {
      return fail(error_at(*layers, "stands in a profile that is merged already, which cannot extend another"));
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return fail(error_at(*extends, fmt::format("\"{}\" extends itself: {} -> {}", name, join(names, " -> "), name)));
    }
    if (names.size() == kProfileLayers) {
      return fail(error_at(*extends, fmt::format("more than {} layers: {}", kProfileLayers, join(names, " -> "))));
    }
    if (library.find == nullptr) return fail(error_at(*extends, "there are no profiles here to extend"));
    const auto found = library.find(name, library.context);
    if (!found) return fail(error_at(*extends, found.error().message));
    trees.push_back(TRY(read_layer(*found, name)));
    names.push_back(name);
  }

  LayeredProfile profile{{}, TRY(stated_layers(trees.back()))};
  profile.layers.insert(profile.layers.end(), names.rbegin(), names.rend());
  profile.tree = std::move(trees.back());
  for (auto upper = std::next(trees.rbegin()); upper != trees.rend(); ++upper) {
    merge_layer(*upper, profile.tree);
    profile.tree = std::move(*upper);
  }
  return profile;
}

Result<std::string> find_profile_text(std::span<const ProfileText> texts, std::string_view name) {
  std::vector<std::string> names;
  for (const ProfileText& text : texts) {
    if (text.name == name) return std::string(text.yaml);
    names.emplace_back(text.name);
  }
  return fail(ErrorKind::kUsage, fmt::format("no profile \"{}\" among {}{}", escaped(name, 60), join(names, ", "),
                                             did_you_mean(name, names)));
}

}  // namespace rocert
