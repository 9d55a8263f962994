// A profile as YAML that parses to an equal one, and its digest.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cmath>
#include <iterator>

#include "base/text.h"
#include "model/profile.h"
#include "model/profile_layers.h"

namespace rocert {
namespace {

// Text as a YAML scalar: plain where it cannot be mistaken for anything, else in double quotes.
std::string scalar(std::string_view text) {
  const auto is_plain = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-' ||
           c == '/';
  };
  bool plain = !text.empty() && is_plain(text[0]) && text[0] != '-' && text[0] != '.' && text[0] != '/';
  for (const std::string_view null : {"null", "Null", "NULL"}) plain = plain && text != null;
  for (const char c : text) plain = plain && is_plain(c);
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// Whole bits a second, exactly.
std::string bandwidth(Bandwidth speed) { return to_text(quantity(Unit::kBandwidth, speed.bits_per_second)); }

// {a: 1, b: 2}, of those that are there.
class FlowMap {
 public:
  void add(std::string_view key, std::string_view yaml) {
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", key, yaml);
  }
  template <class T, class ToYaml>
  void add(std::string_view key, const std::optional<T>& value, ToYaml to_yaml_text) {
    if (value) add(key, to_yaml_text(*value));
  }
  std::string text() const { return "{" + text_ + "}"; }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

template <class List>
std::string flow_list(const List& list) {
  std::vector<std::string> parts;
  parts.reserve(list.size());
  for (const std::string& element : list) parts.push_back(scalar(element));
  return "[" + join(parts, ", ") + "]";
}

std::string dscp(Dscp value) { return fmt::format("{}", value.value); }
std::string priority(Priority value) { return fmt::format("{}", value.value); }
std::string number(int64_t value) { return fmt::format("{}", value); }

std::string cnp(const CnpMark& mark) {
  FlowMap map;
  map.add("dscp", dscp(mark.dscp));
  map.add("priority", mark.priority, priority);
  return map.text();
}

std::string traffic_class(const TrafficClass& traffic) {
  FlowMap map;
  map.add("dscp", traffic.dscp, dscp);
  map.add("priority", traffic.priority, priority);
  map.add("lossless", traffic.lossless ? "true" : "false");
  map.add("cnp", traffic.cnp, cnp);
  return map.text();
}

std::string match_map(const Match& match) {
  FlowMap map;
  map.add("netdev", match.netdev, scalar);
  map.add("rdma", match.rdma, scalar);
  map.add("driver", match.driver, scalar);
  map.add("rdma_driver", match.rdma_driver, scalar);
  map.add("speed", match.speed, bandwidth);
  map.add("prefix", match.prefix, [](const Prefix& prefix) { return scalar(to_text(prefix)); });
  return map.text();
}

std::string mtu(const Between& between) {
  if (between.at_least && between.at_least == between.at_most) return number(*between.at_least);
  FlowMap map;
  map.add("at_least", between.at_least, number);
  map.add("at_most", between.at_most, number);
  return map.text();
}

std::string role_map(const Role& role) {
  FlowMap map;
  if (role.match != Match{}) map.add("match", match_map(role.match));
  if (!role.classes.empty()) map.add("classes", flow_list(role.classes));
  map.add("count", role.count, number);
  map.add("speed", role.speed, bandwidth);
  map.add("mtu", role.mtu, mtu);
  return map.text();
}

std::string setting(const Override& stated) {
  const auto* value = std::get_if<Value>(&stated);
  return value == nullptr ? "unmanaged" : scalar(to_text(*value));
}

std::string congestion_map(const Congestion& congestion) {
  FlowMap map;
  if (congestion.control != CongestionControl::kUnstated) map.add("control", word_of(congestion.control));
  std::vector<std::string> evidence;
  evidence.reserve(congestion.evidence.size());
  for (const Evidence each : congestion.evidence) evidence.emplace_back(word_of(each));
  if (!evidence.empty()) map.add("evidence", flow_list(evidence));
  return map.text();
}

std::string waiver_map(const Waiver& waiver) {
  FlowMap map;
  map.add("code", scalar(waiver.code));
  map.add("host", waiver.host, scalar);
  map.add("port", waiver.port, scalar);
  map.add("reason", scalar(waiver.reason));
  map.add("until", scalar(waiver.until));
  return map.text();
}

// A section of one line an entry.
template <class List, class ToLine>
std::string section(std::string_view key, const List& list, ToLine to_line) {
  if (list.empty()) return {};
  std::string text = fmt::format("{}:\n", key);
  for (const auto& element : list) text += fmt::format("  {}\n", to_line(element));
  return text;
}

// Limits of one probe stand together under its name.
std::string limits_section(const std::map<std::string, Value>& limits) {
  std::map<std::string, FlowMap> probes;
  for (const auto& [key, value] : limits) {
    const size_t dot = key.find('.');
    probes[key.substr(0, dot)].add(scalar(key.substr(dot + 1)), scalar(to_text(value)));
  }
  return section("limits", probes,
                 [](const auto& probe) { return fmt::format("{}: {}", scalar(probe.first), probe.second.text()); });
}

std::string rails_section(const Rails& rails) {
  if (!rails.stated) return {};
  if (rails.by_prefix) return "rails: {by: prefix}\n";
  return section("rails", rails.list, [](const Match& match) { return "- " + match_map(match); });
}

}  // namespace

std::string to_yaml(const Profile& profile) {
  std::string text = fmt::format("schema: {}\nname: {}\n", kProfileSchema, scalar(profile.name));
  if (!profile.description.empty()) text += fmt::format("description: {}\n", scalar(profile.description));
  if (!profile.layers.empty()) text += fmt::format("layers: {}\n", flow_list(profile.layers));
  text += section("classes", profile.classes, [](const TrafficClass& traffic) {
    return fmt::format("{}: {}", scalar(traffic.name), traffic_class(traffic));
  });
  text += section("roles", profile.roles,
                  [](const Role& role) { return fmt::format("{}: {}", scalar(role.name), role_map(role)); });
  text += rails_section(profile.rails);
  text += section("settings", profile.settings,
                  [](const auto& entry) { return fmt::format("{}: {}", scalar(entry.first), setting(entry.second)); });
  text += limits_section(profile.limits);
  text += fmt::format("ordering: {}\n", word_of(profile.ordering));
  if (profile.congestion != Congestion{}) text += fmt::format("congestion: {}\n", congestion_map(profile.congestion));
  if (!profile.must_know.empty()) text += fmt::format("must_know: {}\n", flow_list(profile.must_know));
  if (!profile.gate.empty()) text += fmt::format("gate: {}\n", flow_list(profile.gate));
  text += section("waivers", profile.waivers, [](const Waiver& waiver) { return "- " + waiver_map(waiver); });
  return text;
}

std::string digest(const Profile& profile) {
  const std::string yaml = to_yaml(profile);
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int length = 0;
  EVP_Digest(yaml.data(), yaml.size(), hash.data(), &length, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < length; ++i) fmt::format_to(std::back_inserter(hex), "{:02x}", hash[i]);
  return hex;
}

}  // namespace rocert
