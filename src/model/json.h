// JSON codec of described structs (model/fields.h), for the .cc files that need it. Decoding is strict: wrong types,
// unknown enum words and numbers out of range are errors that name the path ("ports[1].link.mtu"); unknown keys too. A
// missing key leaves an optional empty, makes an Observed a Gap "not recorded", and is an error for anything else.
#pragma once
#include <array>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "model/fields.h"
#include "model/gap.h"
#include "model/ip.h"

namespace rocert {

using Json = nlohmann::ordered_json;

// Parses text of at most `limit` bytes and 64 levels; an Error carries file, line and column.
Result<Json> parse_json(std::string_view text, const std::string& file, size_t limit = size_t{256} << 20);

template <class T>
Json to_json(const T& value);
template <class T>
Result<T> from_json(const Json& json, const std::string& path);

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

inline tl::unexpected<Error> wrong(const std::string& path, const Json& json, std::string_view wanted) {
  std::string seen = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (seen.size() > 60) seen = seen.substr(0, 60) + "...";
  return fail(ErrorKind::kMalformed, path + ": seen " + seen + ", wanted " + std::string(wanted));
}

template <class T>
Result<T> number_from(const Json& json, const std::string& path) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!json.is_number()) return wrong(path, json, "a number");
    return json.get<T>();
  } else {
    if (json.is_number_unsigned()) {
      const auto value = json.get<uint64_t>();
      if (value <= static_cast<uint64_t>(std::numeric_limits<T>::max())) return static_cast<T>(value);
    } else if (json.is_number_integer()) {
      const auto value = json.get<int64_t>();
      if (std::is_signed_v<T> && value >= static_cast<int64_t>(std::numeric_limits<T>::min()))
        return static_cast<T>(value);
    }
    return wrong(path, json, "a whole number in range");
  }
}

template <Described T>
Result<T> struct_from(const Json& json, const std::string& path) {
  if (!json.is_object()) return wrong(path, json, "an object");
  T value{};
  std::optional<Error> error;
  std::set<std::string> known;
  for_each_field(value, [&](const char* name, auto& member) {
    known.insert(name);
    if (error) return;
    using Member = std::remove_reference_t<decltype(member)>;
    const std::string at = path.empty() ? name : path + "." + name;
    const auto found = json.find(name);
    if (found == json.end()) {
      if constexpr (is_observed<Member>) {
        member = gap(GapReason::kNotRecorded, at);
      } else if constexpr (!is_a<Member, std::optional>) {
        error = Error{ErrorKind::kMalformed, at + ": missing", {}};
      }
      return;
    }
    auto decoded = from_json<Member>(*found, at);
    if (decoded) {
      member = std::move(*decoded);
    } else {
      error = decoded.error();
    }
  });
  if (error) return fail(*error);
  for (const auto& [key, unused] : json.items()) {
    if (!known.contains(key) && key != "schema")
      return fail(ErrorKind::kMalformed, (path.empty() ? "" : path + ".") + key + ": unknown key");
  }
  return value;
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
    if (value) return to_json(*value);
    return Json{{"gap", std::string(word_of(value.error().reason))}, {"detail", value.error().detail}};
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
    return Json::array({to_json(value.first), to_json(value.second)});
  } else {
    return Json(value);
  }
}

template <class T>
Result<T> from_json(const Json& json, const std::string& path) {
  using namespace detail;
  if constexpr (std::is_same_v<T, IpAddress>) {
    if (const auto address = json.is_string() ? parse_ip(json.get_ref<const std::string&>()) : std::nullopt)
      return *address;
    return wrong(path, json, "an IP address");
  } else if constexpr (std::is_same_v<T, Prefix>) {
    if (const auto prefix = json.is_string() ? parse_prefix(json.get_ref<const std::string&>()) : std::nullopt)
      return *prefix;
    return wrong(path, json, "an IP prefix");
  } else if constexpr (Worded<T>) {
    if (const auto word = json.is_string() ? parse_word<T>(json.get_ref<const std::string&>()) : std::nullopt)
      return *word;
    return wrong(path, json, "one of its words");
  } else if constexpr (is_observed<T>) {
    if (json.is_object() && json.contains("gap") && json["gap"].is_string()) {  // a counter may bear that name
      auto reason = from_json<GapReason>(json["gap"], path + ".gap");
      if (!reason) return fail(reason.error());
      auto detail = from_json<std::string>(json.value("detail", Json("")), path + ".detail");
      if (!detail) return fail(detail.error());
      return T(gap(*reason, *detail));
    }
    auto value = from_json<typename T::value_type>(json, path);
    if (!value) return fail(value.error());
    return T(std::move(*value));
  } else if constexpr (is_a<T, std::optional>) {
    if (json.is_null()) return T{};
    auto value = from_json<typename T::value_type>(json, path);
    if (!value) return fail(value.error());
    return T(std::move(*value));
  } else if constexpr (Described<T>) {
    return struct_from<T>(json, path);
  } else if constexpr (is_a<T, std::vector>) {
    if (!json.is_array()) return wrong(path, json, "an array");
    T items;
    for (size_t i = 0; i < json.size(); ++i) {
      auto item = from_json<typename T::value_type>(json[i], path + "[" + std::to_string(i) + "]");
      if (!item) return fail(item.error());
      items.push_back(std::move(*item));
    }
    return items;
  } else if constexpr (is_array<T>) {
    T items{};
    if (!json.is_array() || json.size() != items.size())
      return wrong(path, json, "an array of " + std::to_string(items.size()));
    for (size_t i = 0; i < items.size(); ++i) {
      auto item = from_json<typename T::value_type>(json[i], path + "[" + std::to_string(i) + "]");
      if (!item) return fail(item.error());
      items[i] = *item;
    }
    return items;
  } else if constexpr (is_a<T, std::map>) {
    if (!json.is_object()) return wrong(path, json, "an object");
    T items;
    for (const auto& [key, item] : json.items()) {
      auto value = from_json<typename T::mapped_type>(item, path + "." + key);
      if (!value) return fail(value.error());
      items.emplace(key, std::move(*value));
    }
    return items;
  } else if constexpr (is_a<T, std::pair>) {
    if (!json.is_array() || json.size() != 2) return wrong(path, json, "a pair");
    auto first = from_json<typename T::first_type>(json[0], path + "[0]");
    if (!first) return fail(first.error());
    auto second = from_json<typename T::second_type>(json[1], path + "[1]");
    if (!second) return fail(second.error());
    return T(std::move(*first), std::move(*second));
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) return wrong(path, json, "true or false");
    return json.get<bool>();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number_from<T>(json, path);
  } else {
    static_assert(std::is_same_v<T, std::string>);
    if (!json.is_string()) return wrong(path, json, "text");
    return json.get<std::string>();
  }
}

}  // namespace rocert
