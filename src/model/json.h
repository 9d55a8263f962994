// JSON codec of described structs (model/fields.h), for the .cc files that need it. Decoding is strict: wrong types,
// unknown enum words and numbers out of range are errors that name the path ("ports[1].link.mtu"); unknown keys too. A
// missing key leaves an optional empty, makes an Observed a Gap "not recorded", and is an error for anything else.
#pragma once
#include <array>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/fields.h"
#include "model/gap.h"
#include "model/ip.h"

namespace rocert {

using Json = nlohmann::ordered_json;

// Parses text of at most `limit` bytes and 64 levels; an Error carries file, line and column.
Result<Json> parse_json(std::string_view text, const std::string& file, size_t limit = size_t{256} << 20);

template <class T>
Json to_json(const T& value);
// `path` is where the value stands in its document, for messages; empty at the top.
template <class T>
Result<T> from_json(const Json& json, const std::string& path);

// Where decoding stands, and the first thing that was wrong. What it does needs no type of ours: kept out of the
// templates.
class JsonReader {
 public:
  explicit JsonReader(std::string path) : path_(std::move(path)) {}
  const Error& error() const { return error_; }
  std::string path_of(std::string_view name) const;

  // Each false return has recorded the error.
  bool wrong(const Json& json, std::string_view wanted);
  bool read(const Json& json, bool& value);
  bool read(const Json& json, double& value);
  bool read(const Json& json, std::string& value);
  bool read(const Json& json, IpAddress& value);
  bool read(const Json& json, Prefix& value);
  bool read_signed(const Json& json, int64_t min, int64_t max, int64_t& value);
  bool read_unsigned(const Json& json, uint64_t max, uint64_t& value);
  bool read_gap(const Json& json, Gap& value);
  bool expect_array(const Json& json, std::optional<size_t> size);
  bool expect_object(const Json& json);
  bool missing(std::string_view name);
  bool no_other_keys(const Json& object, std::span<const char* const> names);

  // One step down into a member or an item, for the life of the Step.
  class Step {
   public:
    Step(JsonReader& reader, std::string_view name);
    Step(JsonReader& reader, size_t index);
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { reader_.path_.resize(before_); }

   private:
    JsonReader& reader_;
    size_t before_;
  };

 private:
  std::string path_;
  Error error_;
};

namespace detail {

template <class T, template <class...> class Template>
inline constexpr bool is_a = false;
template <template <class...> class Template, class... Args>
inline constexpr bool is_a<Template<Args...>, Template> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;
template <class T>
inline constexpr bool is_observed = false;
template <class T>
inline constexpr bool is_observed<tl::expected<T, Gap>> = true;

Json gap_to_json(const Gap& gap);
// The object's member, null when it has none of the name.
const Json* find_member(const Json& object, const char* name);

template <class T>
bool decode(const Json& json, T& value, JsonReader& reader);

template <std::integral T>
bool decode_number(const Json& json, T& value, JsonReader& reader) {
  if constexpr (std::is_signed_v<T>) {
    int64_t wide = 0;
    if (!reader.read_signed(json, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), wide)) return false;
    value = static_cast<T>(wide);
  } else {
    uint64_t wide = 0;
    if (!reader.read_unsigned(json, std::numeric_limits<T>::max(), wide)) return false;
    value = static_cast<T>(wide);
  }
  return true;
}

template <class T>
bool decode_member(const Json& object, const char* name, T& value, JsonReader& reader) {
  const Json* found = find_member(object, name);
  if (found == nullptr) {
    if constexpr (is_observed<T>) {
      value = gap(GapReason::kNotRecorded, reader.path_of(name));
      return true;
    } else {
      return is_a<T, std::optional> || reader.missing(name);
    }
  }
  const JsonReader::Step step(reader, name);
  return decode(*found, value, reader);
}

template <Described T>
bool decode_struct(const Json& json, T& value, JsonReader& reader) {
  if (!reader.expect_object(json)) return false;
  static constexpr auto names = std::apply(
      [](const auto&... field) { return std::array<const char*, sizeof...(field)>{field.name...}; }, T::fields());
  bool ok = true;
  for_each_field(value, [&](const char* name, auto& member) { ok = ok && decode_member(json, name, member, reader); });
  return ok && reader.no_other_keys(json, names);
}

template <class T>
bool decode(const Json& json, T& value, JsonReader& reader) {
  if constexpr (Worded<T>) {
    const auto word = json.is_string() ? parse_word<T>(json.get_ref<const std::string&>()) : std::nullopt;
    if (word) value = *word;
    return word || reader.wrong(json, "one of its words");
  } else if constexpr (is_observed<T>) {
    const Json* reason = json.is_object() ? find_member(json, "gap") : nullptr;
    if (reason != nullptr && reason->is_string()) {  // a number under that name is a counter's
      Gap why;
      if (!reader.read_gap(json, why)) return false;
      value = gap(why.reason, std::move(why.detail));
      return true;
    }
    value = typename T::value_type{};
    return decode(json, *value, reader);
  } else if constexpr (is_a<T, std::optional>) {
    if (json.is_null()) return true;
    return decode(json, value.emplace(), reader);
  } else if constexpr (Described<T>) {
    return decode_struct(json, value, reader);
  } else if constexpr (is_a<T, std::vector>) {
    if (!reader.expect_array(json, std::nullopt)) return false;
    value.clear();
    for (size_t i = 0; i < json.size(); ++i) {
      const JsonReader::Step step(reader, i);
      if (!decode(json[i], value.emplace_back(), reader)) return false;
    }
    return true;
  } else if constexpr (is_array<T>) {
    if (!reader.expect_array(json, value.size())) return false;
    for (size_t i = 0; i < json.size(); ++i) {
      const JsonReader::Step step(reader, i);
      if (!decode(json[i], value[i], reader)) return false;
    }
    return true;
  } else if constexpr (is_a<T, std::map>) {
    if (!reader.expect_object(json)) return false;
    for (auto item = json.begin(); item != json.end(); ++item) {
      const JsonReader::Step step(reader, item.key());
      if (!decode(item.value(), value[item.key()], reader)) return false;
    }
    return true;
  } else if constexpr (is_a<T, std::pair>) {
    return reader.expect_array(json, 2) && decode(json[0], value.first, reader) &&
           decode(json[1], value.second, reader);
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return decode_number(json, value, reader);
  } else {
    return reader.read(json, value);
  }
}

}  // namespace detail

template <class T>
Json to_json(const T& value) {
  using namespace detail;
  if constexpr (std::is_same_v<T, IpAddress> || std::is_same_v<T, Prefix>) {
    return to_text(value);
  } else if constexpr (Worded<T>) {
    return std::string(word_of(value));
  } else if constexpr (is_observed<T>) {
    return value ? to_json(*value) : gap_to_json(value.error());
  } else if constexpr (is_a<T, std::optional>) {
    return value ? to_json(*value) : Json(nullptr);
  } else if constexpr (Described<T>) {
    Json object = Json::object();
    for_each_field(value, [&](const char* name, const auto& member) {
      if constexpr (is_a<std::remove_cvref_t<decltype(member)>, std::optional>) {
        if (!member) return;
      }
      object[name] = to_json(member);
    });
    return object;
  } else if constexpr (is_a<T, std::vector> || is_array<T>) {
    Json array = Json::array();
    for (const auto& item : value) array.push_back(to_json(item));
    return array;
  } else if constexpr (is_a<T, std::map>) {
    Json object = Json::object();
    for (const auto& [key, item] : value) object[key] = to_json(item);
    return object;
  } else if constexpr (is_a<T, std::pair>) {
    Json array = Json::array();
    array.push_back(to_json(value.first));
    array.push_back(to_json(value.second));
    return array;
  } else {
    return Json(value);
  }
}

template <class T>
Result<T> from_json(const Json& json, const std::string& path) {
  JsonReader reader(path);
  T value{};
  if (!detail::decode(json, value, reader)) return fail(reader.error());
  return value;
}

}  // namespace rocert
