#include <algorithm>
#include <cstring>

#include "model/json.h"

namespace rocert {

std::string JsonReader::path_of(std::string_view name) const {
  std::string path = path_;
  if (!path.empty()) path += '.';
  return path.append(name);
}

bool JsonReader::wrong(const Json& json, std::string_view wanted) {
  constexpr size_t kShown = 60;
  std::string seen = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (seen.size() > kShown) seen = seen.substr(0, kShown) + "...";
  error_ = Error{ErrorKind::kMalformed, path_ + ": seen " + seen + ", wanted " + std::string(wanted), {}};
  return false;
}

bool JsonReader::read(const Json& json, bool& value) {
  if (!json.is_boolean()) return wrong(json, "true or false");
  value = json.get<bool>();
  return true;
}

bool JsonReader::read(const Json& json, double& value) {
  if (!json.is_number()) return wrong(json, "a number");
  value = json.get<double>();
  return true;
}

bool JsonReader::read(const Json& json, std::string& value) {
  if (!json.is_string()) return wrong(json, "text");
  value = json.get_ref<const std::string&>();
  return true;
}

bool JsonReader::read(const Json& json, IpAddress& value) {
  const auto address = json.is_string() ? parse_ip(json.get_ref<const std::string&>()) : std::nullopt;
  if (address) value = *address;
  return address || wrong(json, "an IP address");
}

bool JsonReader::read(const Json& json, Prefix& value) {
  const auto prefix = json.is_string() ? parse_prefix(json.get_ref<const std::string&>()) : std::nullopt;
  if (prefix) value = *prefix;
  return prefix || wrong(json, "an IP prefix");
}

bool JsonReader::read_signed(const Json& json, int64_t min, int64_t max, int64_t& value) {
  const bool whole = json.is_number_unsigned() ? json.get<uint64_t>() <= static_cast<uint64_t>(max)
                                               : json.is_number_integer() && json.get<int64_t>() >= min;
  if (!whole) return wrong(json, "a whole number in range");
  value = json.get<int64_t>();
  return true;
}

bool JsonReader::read_unsigned(const Json& json, uint64_t max, uint64_t& value) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() > max) return wrong(json, "a whole number in range");
  value = json.get<uint64_t>();
  return true;
}

bool JsonReader::read_gap(const Json& json, Gap& value) {
  using detail::decode_member;
  if (!decode_member(json, "gap", value.reason, *this)) return false;
  if (json.contains("detail") && !decode_member(json, "detail", value.detail, *this)) return false;
  static constexpr std::array names{"gap", "detail"};
  return no_other_keys(json, names);
}

bool JsonReader::expect_array(const Json& json, std::optional<size_t> size) {
  if (json.is_array() && json.size() == size.value_or(json.size())) return true;
  return wrong(json, size ? "an array of " + std::to_string(*size) : "an array");
}

bool JsonReader::expect_object(const Json& json) { return json.is_object() || wrong(json, "an object"); }

bool JsonReader::missing(std::string_view name) {
  error_ = Error{ErrorKind::kMalformed, path_of(name) + ": missing", {}};
  return false;
}

bool JsonReader::no_other_keys(const Json& object, std::span<const char* const> names) {
  for (auto item = object.begin(); item != object.end(); ++item) {
    const std::string& key = item.key();
    if (key == "schema" || std::any_of(names.begin(), names.end(), [&](const char* name) { return key == name; }))
      continue;
    error_ = Error{ErrorKind::kMalformed, path_of(key) + ": unknown key", {}};
    return false;
  }
  return true;
}

JsonReader::Step::Step(JsonReader& reader, std::string_view name) : reader_(reader), before_(reader.path_.size()) {
  reader.path_ = reader.path_of(name);
}

JsonReader::Step::Step(JsonReader& reader, size_t index) : reader_(reader), before_(reader.path_.size()) {
  reader.path_ += '[' + std::to_string(index) + ']';
}

namespace detail {

Json gap_to_json(const Gap& gap) {
  Json json = Json::object();
  json["gap"] = std::string(word_of(gap.reason));
  json["detail"] = gap.detail;
  return json;
}

const Json* find_member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace detail
}  // namespace rocert
