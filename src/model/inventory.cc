#include "model/inventory.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "model/yaml_reader.h"

namespace rocert {

namespace {

constexpr std::string_view kInventorySchema = "rocert/inventory/1";
constexpr size_t kMaxHosts = 100'000;

// Hosts of a list of host lists, each once among all that `seen` holds.
Result<std::vector<std::string>> read_hosts(const YamlNode& node, std::set<std::string>& seen) {
  if (node.kind != YamlNode::Kind::kList) return fail(misfit(node, "a list such as [\"n[01-64]\"]"));
  std::vector<std::string> hosts;
  for (const YamlNode& child : node.children) {
    if (child.kind != YamlNode::Kind::kScalar) return fail(misfit(child, "hosts such as \"n[01-64]\", in quotes"));
    auto expanded = expand_hosts(child.text, kMaxHosts - hosts.size());
    if (!expanded) return fail(error_at(child, expanded.error().message));
    for (std::string& host : *expanded) {
      if (!seen.insert(host).second) return fail(error_at(child, fmt::format("host \"{}\" is given twice", host)));
      hosts.push_back(std::move(host));
    }
  }
  if (hosts.empty()) return fail(misfit(node, "at least one host"));
  return hosts;
}

Result<> check_group_name(const YamlNode& node) {
  if (is_name(node.key)) return {};
  return fail(ErrorKind::kMalformed,
              fmt::format("seen the name \"{}\", wanted letters, digits, '.', '-' and '_'", escaped(node.key, 60)),
              node.key_place);
}

using Groups = std::map<std::string, std::vector<std::string>>;

Result<Groups> read_racks(const YamlNode& node, const std::vector<std::string>& hosts) {
  TRY(YamlMap::of(node));
  const std::set<std::string> known(hosts.begin(), hosts.end());
  std::set<std::string> placed;
  Groups racks;
  for (const YamlNode& child : node.children) {
    TRY(check_group_name(child));
    std::vector<std::string> members = TRY(read_hosts(child, placed));
    for (const std::string& host : members) {
      if (known.contains(host)) continue;
      return fail(error_at(child, fmt::format("host \"{}\" is not among hosts{}", host, did_you_mean(host, hosts))));
    }
    racks.emplace(child.key, std::move(members));
  }
  return racks;
}

Result<Groups> read_zones(const YamlNode& node, const Groups& racks) {
  TRY(YamlMap::of(node));
  std::vector<std::string> known;
  for (const auto& [rack, hosts] : racks) known.push_back(rack);
  std::set<std::string> placed;
  const auto read = [&](const YamlNode& child) -> Result<std::string> {
    std::string rack = TRY(read_name(child));
    if (!racks.contains(rack))
      return fail(misfit(child, fmt::format("a rack that is stated{}", did_you_mean(rack, known))));
    if (!placed.insert(rack).second) return fail(misfit(child, "each rack in one zone, once"));
    return rack;
  };
  Groups zones;
  for (const YamlNode& child : node.children) {
    TRY(check_group_name(child));
    zones.emplace(child.key, TRY(read_list(child, read)));
  }
  return zones;
}

// A word of a command line: nothing that a terminal or an argument vector cannot hold.
Result<std::string> read_argument(const YamlNode& node) {
  std::string text = TRY(read_text(node));
  if (text.find_first_of("\n\t") != std::string::npos) return fail(misfit(node, "a text of one line"));
  return text;
}

Result<> read_launch(const YamlNode& node, Launch& launch) {
  YamlMap map = TRY(YamlMap::of(node));
  TRY(map.optional("program", launch.program, read_argument));
  TRY(map.optional("options", launch.options, [](const YamlNode& child) { return read_list(child, read_argument); }));
  TRY(map.optional("rocert", launch.rocert, read_argument));
  return map.finish();
}

}  // namespace

Result<Inventory> parse_inventory(std::string_view text, const std::string& file) {
  const YamlNode tree = TRY(parse_yaml(text, file));
  TRY(read_schema(tree, kInventorySchema));
  YamlMap map = TRY(YamlMap::of(tree));
  map.find("schema");
  Inventory inventory;
  std::set<std::string> seen;
  TRY(map.optional("launcher", inventory.launch.kind, read_word<LauncherKind>));
  if (const YamlNode* launch = map.find("launch")) TRY(read_launch(*launch, inventory.launch));
  TRY(map.required("hosts", inventory.hosts, [&](const YamlNode& node) { return read_hosts(node, seen); }));
  TRY(map.optional("racks", inventory.racks, [&](const YamlNode& node) { return read_racks(node, inventory.hosts); }));
  TRY(map.optional("zones", inventory.zones, [&](const YamlNode& node) { return read_zones(node, inventory.racks); }));
  TRY(map.optional("cabling", inventory.cabling, read_argument));
  TRY(map.finish());
  return inventory;
}

}  // namespace rocert
