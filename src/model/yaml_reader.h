// Strict reading of typed values from a YAML tree: the first misfit is an Error with its place, what was seen, what was
// wanted and the nearest name.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "model/fields.h"
#include "model/shape.h"
#include "model/value.h"
#include "model/yaml_tree.h"

namespace rocert {

// "KEY: seen SEEN, wanted WANTED" at the node.
Error misfit(const YamlNode& node, std::string_view wanted);
// "KEY: MESSAGE" at the node.
Error error_at(const YamlNode& node, std::string_view message);
// `; did you mean "..."?`, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// A scalar in UTF-8, not empty, 1000 bytes at most, without control characters other than line ends and tabs.
Result<std::string> read_text(const YamlNode& node);
// Letters, digits, '.', '-' and '_', with a letter or digit first.
Result<std::string> read_name(const YamlNode& node);
bool is_name(std::string_view text);
// A pattern for matches_glob whose brackets are closed.
Result<std::string> read_glob(const YamlNode& node);
// An unquoted integer.
Result<int64_t> read_number(const YamlNode& node, int64_t min, int64_t max);
// Unquoted true, false, on, off.
Result<bool> read_flag(const YamlNode& node);
Result<Dscp> read_dscp(const YamlNode& node);
Result<Priority> read_priority(const YamlNode& node);
// Above zero, in whole bits a second.
Result<Bandwidth> read_bandwidth(const YamlNode& node);
// A scalar in the shape's text; a list where the shape takes priorities, a map where it takes pairs.
Result<Value> read_shaped(const YamlNode& node, const Shape& shape);
// The value of `schema:` is exactly this one.
Result<> read_schema(const YamlNode& root, std::string_view schema);

// Every element of a list by `read`.
template <class Read>
auto read_list(const YamlNode& node, Read read) -> Result<std::vector<typename decltype(read(node))::value_type>> {
  if (node.kind != YamlNode::Kind::kList) return fail(misfit(node, "a list"));
  std::vector<typename decltype(read(node))::value_type> list;
  list.reserve(node.children.size());
  for (const YamlNode& child : node.children) list.push_back(TRY(read(child)));
  return list;
}

// One of an enum's words.
template <Worded E>
Result<E> read_word(const YamlNode& node) {
  if (const auto value = node.kind == YamlNode::Kind::kScalar ? parse_word<E>(node.text) : std::nullopt) return *value;
  std::vector<std::string> words;
  words.reserve(Words<E>::values.size());
  for (const auto& [value, word] : Words<E>::values) words.emplace_back(word);
  return fail(misfit(node, fmt::format("one of {}{}", fmt::join(words, ", "), did_you_mean(node.text, words))));
}

// Reads the keys of one map and remembers which it was asked for; `finish` refuses all others.
class YamlMap {
 public:
  static Result<YamlMap> of(const YamlNode& node);

  // The child under the key, null when it is not given.
  const YamlNode* find(std::string_view key);
  // Leaves `into` alone when the key is not given.
  template <class T, class Read>
  Result<> optional(std::string_view key, T& into, Read read) {
    if (const YamlNode* child = find(key)) into = TRY(read(*child));
    return {};
  }
  // A key that is not given is an error of finish(), after that of an unknown key, which may be the same one misspelt.
  template <class T, class Read>
  Result<> required(std::string_view key, T& into, Read read) {
    if (find(key) == nullptr) missing_.emplace_back(key);
    return optional(key, into, read);
  }
  Result<> finish() const;

 private:
  explicit YamlMap(const YamlNode& node) : node_(&node) {}
  const YamlNode* node_;
  std::vector<std::string> known_;
  std::vector<std::string> missing_;
};

}  // namespace rocert
