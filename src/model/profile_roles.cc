// Classes, roles and rails.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/profile_parts.h"
#include "model/yaml_reader.h"

namespace rocert {
namespace {

constexpr int64_t kMinMtu = 68;  // RFC 791: every IPv4 link carries it
constexpr int64_t kMaxMtu = 65535;
constexpr int64_t kMaxCount = 1024;

Result<> check_name(const YamlNode& node) {
  if (is_name(node.key)) return {};
  return fail(ErrorKind::kMalformed,
              fmt::format("seen the name \"{}\", wanted letters, digits, '.', '-' and '_'", node.key), node.key_place);
}

Result<CnpMark> read_cnp(const YamlNode& node) {
  YamlMap map = TRY(YamlMap::of(node));
  CnpMark cnp;
  TRY(map.required("dscp", cnp.dscp, read_dscp));
  TRY(map.optional("priority", cnp.priority, read_priority));
  TRY(map.finish());
  return cnp;
}

Result<TrafficClass> read_class(const YamlNode& node) {
  TRY(check_name(node));
  YamlMap map = TRY(YamlMap::of(node));
  TrafficClass traffic;
  traffic.name = node.key;
  TRY(map.optional("dscp", traffic.dscp, read_dscp));
  TRY(map.optional("priority", traffic.priority, read_priority));
  TRY(map.optional("lossless", traffic.lossless, read_flag));
  TRY(map.optional("cnp", traffic.cnp, read_cnp));
  TRY(map.finish());
  if (traffic.lossless && !traffic.priority) {
    return fail(error_at(node, "seen lossless without a priority, wanted the priority (0 to 7) that is to be paused"));
  }
  return traffic;
}

// Which priority each DSCP rides so far, and who said so.
using Marking = std::map<Dscp, std::pair<Priority, std::string>>;

Result<> add_mark(Marking& marking, const YamlNode& node, const std::string& name, std::optional<Dscp> dscp,
                  std::optional<Priority> priority) {
  if (!dscp || !priority) return {};
  const auto [known, is_new] = marking.emplace(*dscp, std::pair(*priority, name));
  if (is_new || known->second.first == *priority) return {};
  return fail(
      error_at(node, fmt::format("seen DSCP {} on priority {}, wanted priority {} as \"{}\" has it: one DSCP rides "
                                 "one priority",
                                 dscp->value, priority->value, known->second.first.value, known->second.second)));
}

Result<Prefix> read_prefix(const YamlNode& node) {
  const auto prefix = node.kind == YamlNode::Kind::kScalar ? parse_prefix(node.text) : std::nullopt;
  if (!prefix) return fail(misfit(node, "a prefix such as 198.18.0.0/24"));
  if (*prefix != prefix->network()) return fail(misfit(node, to_text(prefix->network())));
  return *prefix;
}

Result<Match> read_match(const YamlNode& node) {
  YamlMap map = TRY(YamlMap::of(node));
  Match match;
  TRY(map.optional("netdev", match.netdev, read_glob));
  TRY(map.optional("rdma", match.rdma, read_glob));
  TRY(map.optional("driver", match.driver, read_name));
  TRY(map.optional("rdma_driver", match.rdma_driver, read_name));
  TRY(map.optional("speed", match.speed, read_bandwidth));
  TRY(map.optional("prefix", match.prefix, read_prefix));
  TRY(map.finish());
  return match;
}

Result<int64_t> read_mtu_number(const YamlNode& node) { return read_number(node, kMinMtu, kMaxMtu); }

// A number means exactly this.
Result<Between> read_mtu(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kMap) {
    const int64_t exact = TRY(read_mtu_number(node));
    return Between{exact, exact};
  }
  YamlMap map = TRY(YamlMap::of(node));
  Between mtu;
  TRY(map.optional("at_least", mtu.at_least, read_mtu_number));
  TRY(map.optional("at_most", mtu.at_most, read_mtu_number));
  TRY(map.finish());
  if (!mtu.at_least && !mtu.at_most) return fail(error_at(node, "seen no bound, wanted at_least, at_most or both"));
  if (mtu.at_least && mtu.at_most && *mtu.at_least > *mtu.at_most) {
    return fail(error_at(node, fmt::format("seen at_least {} above at_most {}", *mtu.at_least, *mtu.at_most)));
  }
  return mtu;
}

Result<uint32_t> read_count(const YamlNode& node) {
  return static_cast<uint32_t>(TRY(read_number(node, 0, kMaxCount)));
}

Result<std::vector<std::string>> read_class_names(const YamlNode& node, const std::vector<TrafficClass>& classes) {
  std::vector<std::string> known;
  known.reserve(classes.size());
  for (const TrafficClass& traffic : classes) known.push_back(traffic.name);
  std::vector<std::string> names;
  const auto read = [&](const YamlNode& element) -> Result<std::string> {
    std::string name = TRY(read_text(element));
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return fail(
          misfit(element, fmt::format("one of the classes ({}){}", fmt::join(known, ", "), did_you_mean(name, known))));
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) return fail(misfit(element, "each class once"));
    names.push_back(name);
    return name;
  };
  return read_list(node, read);
}

Result<Role> read_role(const YamlNode& node, const std::vector<TrafficClass>& classes) {
  TRY(check_name(node));
  YamlMap map = TRY(YamlMap::of(node));
  Role role;
  role.name = node.key;
  TRY(map.optional("match", role.match, read_match));
  TRY(map.optional("classes", role.classes, [&](const YamlNode& child) { return read_class_names(child, classes); }));
  TRY(map.optional("count", role.count, read_count));
  TRY(map.optional("speed", role.speed, read_bandwidth));
  TRY(map.optional("mtu", role.mtu, read_mtu));
  TRY(map.finish());
  if (role.match.speed && role.speed && *role.match.speed != *role.speed) {
    return fail(
        error_at(*map.find("speed"), fmt::format("seen {}, wanted the {} that the role's match takes, or no speed in "
                                                 "the match: a port of another speed never gets this role",
                                                 to_text(*role.speed), to_text(*role.match.speed))));
  }
  return role;
}

template <class T>
bool takes_all(const std::optional<T>& earlier, const std::optional<T>& later) {
  return !earlier || earlier == later;
}

bool takes_all_names(const std::optional<std::string>& earlier, const std::optional<std::string>& later) {
  return earlier == "*" || takes_all(earlier, later);
}

// True where whatever the later match takes, the earlier one took before, as far as equal conditions show it.
bool takes_all(const Match& earlier, const Match& later) {
  return takes_all_names(earlier.netdev, later.netdev) && takes_all_names(earlier.rdma, later.rdma) &&
         takes_all(earlier.driver, later.driver) && takes_all(earlier.rdma_driver, later.rdma_driver) &&
         takes_all(earlier.speed, later.speed) && takes_all(earlier.prefix, later.prefix);
}

}  // namespace

Result<std::vector<TrafficClass>> read_classes(const YamlNode& node) {
  TRY(YamlMap::of(node));
  std::vector<TrafficClass> classes;
  Marking marking;
  for (const YamlNode& child : node.children) {
    const TrafficClass traffic = TRY(read_class(child));
    TRY(add_mark(marking, child, traffic.name, traffic.dscp, traffic.priority));
    if (traffic.cnp) TRY(add_mark(marking, child, traffic.name + ".cnp", traffic.cnp->dscp, traffic.cnp->priority));
    classes.push_back(traffic);
  }
  return classes;
}

Result<std::vector<Role>> read_roles(const YamlNode& node, const std::vector<TrafficClass>& classes) {
  TRY(YamlMap::of(node));
  std::vector<Role> roles;
  for (const YamlNode& child : node.children) {
    const Role role = TRY(read_role(child, classes));
    for (const Role& earlier : roles) {
      if (!takes_all(earlier.match, role.match)) continue;
      return fail(ErrorKind::kMalformed,
                  fmt::format("roles: \"{}\" can never match, \"{}\" before it takes every port that it could: first "
                              "match wins, so put the narrower one first",
                              role.name, earlier.name),
                  child.key_place);
    }
    roles.push_back(role);
  }
  return roles;
}

Result<Rails> read_rails(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::kList) {
    Rails rails{false, true, TRY(read_list(node, read_match))};
    if (rails.list.empty()) return fail(misfit(node, "at least one match, or {by: prefix}"));
    return rails;
  }
  if (node.kind != YamlNode::Kind::kMap) return fail(misfit(node, "{by: prefix}, or a list of matches"));
  YamlMap map = TRY(YamlMap::of(node));
  std::string by;
  TRY(map.required("by", by, [](const YamlNode& child) -> Result<std::string> {
    if (child.kind != YamlNode::Kind::kScalar || child.text != "prefix") return fail(misfit(child, "prefix"));
    return child.text;
  }));
  TRY(map.finish());
  return Rails{true, true, {}};
}

}  // namespace rocert
