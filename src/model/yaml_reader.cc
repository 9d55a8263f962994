#include "model/yaml_reader.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace rocert {
namespace {

constexpr size_t kTextLength = 1000;  // bytes

std::string seen(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "keys with values";
    case YamlNode::Kind::kScalar:
      break;
  }
  return fmt::format("\"{}\"", escaped(node.text, 60));
}

std::string prefixed(const YamlNode& node, std::string_view message) {
  return node.key.empty() ? std::string(message) : fmt::format("{}: {}", escaped(node.key), message);
}

bool is_scalar(const YamlNode& node) { return node.kind == YamlNode::Kind::kScalar; }

bool is_letter_or_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// UTF-8 without control characters, line ends and tabs aside.
bool is_printable(std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\t'; });
  return escaped(text, text.size() + 1) == text;
}

bool has_closed_brackets(std::string_view glob) {
  for (size_t at = glob.find('['); at != std::string_view::npos; at = glob.find('[', at)) {
    const bool negated = at + 1 < glob.size() && (glob[at + 1] == '!' || glob[at + 1] == '^');
    at = glob.find(']', at + (negated ? 3 : 2));  // a ']' that comes first stands for itself
    if (at == std::string_view::npos) return false;
  }
  return true;
}

// The node in the text form of the shape, if its kind is one that the shape can be written in.
std::optional<std::string> shaped_text(const YamlNode& node, const Shape& shape) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::kScalar:
      return node.text;
    case YamlNode::Kind::kList:
      if (!std::holds_alternative<PrioritiesShape>(shape) ||
          !std::all_of(node.children.begin(), node.children.end(), is_scalar))
        return std::nullopt;
      for (const YamlNode& child : node.children) text += (text.empty() ? "" : ",") + child.text;
      return text.empty() ? "none" : text;
    case YamlNode::Kind::kMap:
      if (!std::holds_alternative<MapShape>(shape) ||
          !std::all_of(node.children.begin(), node.children.end(), is_scalar))
        return std::nullopt;
      for (const YamlNode& child : node.children)
        text += fmt::format("{} {}:{}", text.empty() ? "" : ",", child.key, child.text);
      return text.empty() ? "none" : text;
    case YamlNode::Kind::kNull:
      break;
  }
  return std::nullopt;
}

}  // namespace

Error error_at(const YamlNode& node, std::string_view message) {
  return {ErrorKind::kMalformed, prefixed(node, message), node.place};
}

Error misfit(const YamlNode& node, std::string_view wanted) {
  return error_at(node, fmt::format("seen {}, wanted {}", seen(node), wanted));
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto near = nearest(word.substr(0, kYamlKeyLength), candidates);
  return near ? fmt::format("; did you mean \"{}\"?", *near) : std::string();
}

Result<std::string> read_text(const YamlNode& node) {
  if (!is_scalar(node) || node.text.empty() || !is_printable(node.text)) return fail(misfit(node, "a text"));
  if (node.text.size() > kTextLength) return fail(misfit(node, fmt::format("a text of at most {} bytes", kTextLength)));
  return node.text;
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter_or_digit(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_';
  });
}

Result<std::string> read_name(const YamlNode& node) {
  if (!is_scalar(node) || !is_name(node.text)) {
    return fail(misfit(node, "a name of letters, digits, '.', '-' and '_' that starts with a letter or digit"));
  }
  return read_text(node);
}

Result<std::string> read_glob(const YamlNode& node) {
  if (is_scalar(node) && !has_closed_brackets(node.text)) return fail(misfit(node, "a pattern with every '[' closed"));
  return read_text(node);
}

Result<int64_t> read_number(const YamlNode& node, int64_t min, int64_t max) {
  const auto number = is_scalar(node) && !node.quoted ? parse_int(node.text) : std::nullopt;
  if (!number || *number < min || *number > max)
    return fail(misfit(node, fmt::format("a number from {} to {}", min, max)));
  return *number;
}

Result<bool> read_flag(const YamlNode& node) {
  if (is_scalar(node) && !node.quoted) {
    if (node.text == "true" || node.text == "on") return true;
    if (node.text == "false" || node.text == "off") return false;
  }
  return fail(misfit(node, "true or false"));
}

Result<Dscp> read_dscp(const YamlNode& node) { return Dscp{static_cast<uint8_t>(TRY(read_number(node, 0, 63)))}; }

Result<Priority> read_priority(const YamlNode& node) {
  return Priority{static_cast<uint8_t>(TRY(read_number(node, 0, 7)))};
}

Result<Bandwidth> read_bandwidth(const YamlNode& node) {
  const auto bandwidth = is_scalar(node) ? parse_bandwidth(node.text) : std::nullopt;
  if (!bandwidth || bandwidth->bits_per_second < 1) {
    return fail(misfit(node, "a bandwidth with its unit, above zero and up to 100T, e.g. 400G"));
  }
  return Bandwidth{std::round(bandwidth->bits_per_second)};
}

Result<Value> read_shaped(const YamlNode& node, const Shape& shape) {
  const auto text = shaped_text(node, shape);
  if (!text) return fail(misfit(node, describe(shape)));
  auto value = parse_value(shape, *text);
  if (!value) return fail(error_at(node, value.error().message));
  return *std::move(value);
}

Result<> read_schema(const YamlNode& root, std::string_view schema) {
  const YamlNode* node = find_child(root, "schema");
  if (node == nullptr) return fail(error_at(root, fmt::format("\"schema\" is missing, wanted schema: {}", schema)));
  if (!is_scalar(*node) || node->text != schema) return fail(misfit(*node, schema));
  return {};
}

Result<YamlMap> YamlMap::of(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kMap) return fail(misfit(node, "keys with values"));
  return YamlMap(node);
}

const YamlNode* YamlMap::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return find_child(*node_, key);
}

Result<> YamlMap::finish() const {
  for (const YamlNode& child : node_->children) {
    if (std::find(known_.begin(), known_.end(), child.key) != known_.end()) continue;
    const std::string where = node_->key.empty() ? "" : fmt::format("{}: ", escaped(node_->key));
    return fail(ErrorKind::kMalformed,
                fmt::format("{}unknown key \"{}\", wanted one of {}{}", where, escaped(child.key),
                            fmt::join(known_, ", "), did_you_mean(child.key, known_)),
                child.key_place);
  }
  if (!missing_.empty()) return fail(error_at(*node_, fmt::format("\"{}\" is missing", missing_.front())));
  return {};
}

}  // namespace rocert
