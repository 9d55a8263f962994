// One declaration of a struct's members serves its codec, its comparison by field and its schema:
//   static constexpr auto fields() { return std::tuple{Field{"mtu", &Link::mtu}, ...}; }
#pragma once
#include <array>
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace rocert {

template <class Struct, class Member>
struct Field {
  const char* name;  // as in JSON
  Member Struct::* member;
};
template <class Struct, class Member>
Field(const char*, Member Struct::*) -> Field<Struct, Member>;

template <class T>
concept Described = requires { T::fields(); };

// Calls visit(name, member) for every field of a described value, in order.
template <Described T, class Visit>
void for_each_field(T& value, Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field.name, value.*(field.member)), ...); },
             std::remove_const_t<T>::fields());
}

// An enum with words: specialise with  static constexpr std::array<std::pair<E, std::string_view>, N> values.
template <class E>
struct Words;

template <class E>
concept Worded = std::is_enum_v<E> && requires { Words<E>::values; };

template <Worded E>
constexpr std::string_view word_of(E value) {
  for (const auto& [candidate, word] : Words<E>::values) {
    if (candidate == value) return word;
  }
  return "?";
}

template <Worded E>
constexpr std::optional<E> parse_word(std::string_view text) {
  for (const auto& [candidate, word] : Words<E>::values) {
    if (word == text) return candidate;
  }
  return std::nullopt;
}

}  // namespace rocert
