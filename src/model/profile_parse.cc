// The profile as a whole, and the sections that speak of registered units.
#include <fmt/format.h>

#include <chrono>

#include "base/text.h"
#include "model/profile.h"
#include "model/profile_layers.h"
#include "model/profile_parts.h"
#include "model/yaml_reader.h"

namespace rocert {
namespace {

template <class T>
std::vector<std::string> names_of(const std::map<std::string, T>& map) {
  std::vector<std::string> names;
  names.reserve(map.size());
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

Error unknown(const YamlNode& node, std::string_view what, const std::string& name,
              const std::vector<std::string>& known) {
  return {ErrorKind::kMalformed, fmt::format("unknown {} \"{}\"{}", what, escaped(name), did_you_mean(name, known)),
          node.key_place};
}

Result<std::string> read_code(const YamlNode& node, const KnownKeys& keys) {
  std::string code = TRY(read_text(node));
  if (keys.codes.contains(code) || keys.settings.contains(code)) return code;
  std::vector<std::string> known = names_of(keys.settings);
  known.insert(known.end(), keys.codes.begin(), keys.codes.end());
  return fail(misfit(node, fmt::format("the code of a check or the key of a setting{}", did_you_mean(code, known))));
}

// "2027-01-31", a day that exists.
Result<std::string> read_date(const YamlNode& node) {
  std::string text = TRY(read_text(node));
  const std::vector<std::string_view> parts = split(text, '-');
  if (parts.size() == 3 && parts[0].size() == 4 && parts[1].size() == 2 && parts[2].size() == 2) {
    const auto year = parse_unsigned(parts[0]);
    const auto month = parse_unsigned(parts[1]);
    const auto day = parse_unsigned(parts[2]);
    if (year && month && day) {
      const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                             std::chrono::month(static_cast<unsigned>(*month)),
                                             std::chrono::day(static_cast<unsigned>(*day))};
      if (date.ok()) return text;
    }
  }
  return fail(misfit(node, "a day such as 2027-01-31"));
}

Result<Waiver> read_waiver(const YamlNode& node, const KnownKeys& keys) {
  YamlMap map = TRY(YamlMap::of(node));
  Waiver waiver;
  TRY(map.required("code", waiver.code, [&](const YamlNode& child) { return read_code(child, keys); }));
  TRY(map.optional("host", waiver.host, read_glob));
  TRY(map.optional("port", waiver.port, read_glob));
  TRY(map.required("reason", waiver.reason, read_text));
  TRY(map.required("until", waiver.until, read_date));
  TRY(map.finish());
  return waiver;
}

// "/etc/rocert/site.yaml" -> "site".
std::string stem(std::string_view file) {
  file.remove_prefix(file.rfind('/') + 1);  // npos + 1 is 0
  for (const std::string_view suffix : {".yaml", ".yml"}) {
    if (file.ends_with(suffix)) file.remove_suffix(suffix.size());
  }
  return file.empty() ? "profile" : std::string(file);
}

}  // namespace

Result<std::map<std::string, Override>> read_settings(const YamlNode& node, const KnownKeys& keys) {
  TRY(YamlMap::of(node));
  std::map<std::string, Override> settings;
  for (const YamlNode& child : node.children) {
    const auto shape = keys.settings.find(child.key);
    if (shape == keys.settings.end()) return fail(unknown(child, "setting", child.key, names_of(keys.settings)));
    if (child.kind == YamlNode::Kind::kScalar && child.text == "unmanaged") {
      settings.emplace(child.key, Unmanaged{});
    } else {
      settings.emplace(child.key, TRY(read_shaped(child, shape->second)));
    }
  }
  return settings;
}

Result<std::map<std::string, Value>> read_limits(const YamlNode& node, const KnownKeys& keys) {
  TRY(YamlMap::of(node));
  std::map<std::string, Value> limits;
  for (const YamlNode& probe : node.children) {
    TRY(YamlMap::of(probe));
    for (const YamlNode& figure : probe.children) {
      const std::string key = probe.key + "." + figure.key;
      const auto shape = keys.limits.find(key);
      if (shape == keys.limits.end()) return fail(unknown(figure, "limit", key, names_of(keys.limits)));
      limits.emplace(key, TRY(read_shaped(figure, shape->second)));
    }
  }
  return limits;
}

Result<std::set<std::string>> read_codes(const YamlNode& node, const KnownKeys& keys) {
  std::set<std::string> codes;
  const auto read = [&](const YamlNode& child) -> Result<std::string> {
    std::string code = TRY(read_code(child, keys));
    if (!codes.insert(code).second) return fail(misfit(child, "each code once"));
    return code;
  };
  TRY(read_list(node, read));
  return codes;
}

Result<std::vector<Waiver>> read_waivers(const YamlNode& node, const KnownKeys& keys) {
  return read_list(node, [&](const YamlNode& child) { return read_waiver(child, keys); });
}

Result<Congestion> read_congestion(const YamlNode& node) {
  YamlMap map = TRY(YamlMap::of(node));
  Congestion congestion;
  std::vector<Evidence> evidence;
  TRY(map.optional("control", congestion.control, read_word<CongestionControl>));
  TRY(map.optional("evidence", evidence, [](const YamlNode& child) { return read_list(child, read_word<Evidence>); }));
  TRY(map.finish());
  congestion.evidence = {evidence.begin(), evidence.end()};
  return congestion;
}

Result<Profile> parse_profile(std::string_view text, const std::string& file, const KnownKeys& keys,
                              const ProfileLibrary& library) {
  const LayeredProfile layered = TRY(read_layers(text, file, library));
  YamlMap map = TRY(YamlMap::of(layered.tree));
  Profile profile;
  profile.name = stem(file);
  profile.layers = layered.layers;
  for (const std::string_view read_before : {"schema", "extends", "layers"}) map.find(read_before);
  TRY(map.optional("name", profile.name, read_text));
  TRY(map.optional("description", profile.description, read_text));
  TRY(map.optional("classes", profile.classes, read_classes));
  TRY(map.optional("roles", profile.roles, [&](const YamlNode& node) { return read_roles(node, profile.classes); }));
  TRY(map.optional("rails", profile.rails, read_rails));
  TRY(map.optional("settings", profile.settings, [&](const YamlNode& node) { return read_settings(node, keys); }));
  TRY(map.optional("limits", profile.limits, [&](const YamlNode& node) { return read_limits(node, keys); }));
  TRY(map.optional("ordering", profile.ordering, read_word<Ordering>));
  TRY(map.optional("congestion", profile.congestion, read_congestion));
  TRY(map.optional("must_know", profile.must_know, [&](const YamlNode& node) { return read_codes(node, keys); }));
  TRY(map.optional("gate", profile.gate, [&](const YamlNode& node) { return read_codes(node, keys); }));
  TRY(map.optional("waivers", profile.waivers, [&](const YamlNode& node) { return read_waivers(node, keys); }));
  TRY(map.finish());
  return profile;
}

}  // namespace rocert
