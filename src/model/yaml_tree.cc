#include "model/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>
#include <utility>

#include "base/text.h"

namespace rocert {
namespace {

// Builds the tree from yaml-cpp's events; what is not taken is thrown as yaml-cpp throws what it does not take.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}
  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf(mark, YamlNode::Kind::kNull, "", anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse(mark, "aliases are not taken: write it out"); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    leaf(mark, YamlNode::Kind::kScalar, tag, anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, YamlNode::Kind::kList, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, YamlNode::Kind::kMap, tag, anchor);
  }
  void OnMapEnd() override { close(); }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    refuse(mark, "anchors are not taken: write it out");
  }

 private:
  struct Open {
    YamlNode node;
    bool key_read = false;  // of a map: the next event is the value of `key`
    std::string key;        // that the next child gets
    Place key_place;
    std::map<std::string, int> lines;  // of the keys so far
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, const std::string& message) {
    throw YAML::ParserException(mark, message);
  }

  Place place_of(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  YamlNode node_at(const YAML::Mark& mark, YamlNode::Kind kind, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) refuse(mark, "anchors are not taken: write it out");
    if (!tag.empty() && tag != "?" && tag != "!") refuse(mark, "tags are not taken");
    if (++nodes_ > kYamlNodes) refuse(mark, fmt::format("more than {} nodes", kYamlNodes));
    YamlNode node;
    node.kind = kind;
    node.place = place_of(mark);
    node.quoted = tag == "!";  // yaml-cpp's mark of a quoted or block scalar
    return node;
  }

  void leaf(const YAML::Mark& mark, YamlNode::Kind kind, const std::string& tag, YAML::anchor_t anchor,
            const std::string& value = {}) {
    YamlNode node = node_at(mark, kind, tag, anchor);
    node.text = value;
    if (!stack_.empty() && stack_.back().node.kind == YamlNode::Kind::kMap && !stack_.back().key_read) {
      read_key(mark, node);
    } else {
      place_into_parent(std::move(node));
    }
  }

  void read_key(const YAML::Mark& mark, const YamlNode& node) {
    Open& map = stack_.back();
    if (node.kind != YamlNode::Kind::kScalar || node.text.empty()) refuse(mark, "a key must be a text");
    if (node.text.size() > kYamlKeyLength) refuse(mark, fmt::format("a key longer than {} bytes", kYamlKeyLength));
    const auto [first, is_new] = map.lines.emplace(node.text, node.place.line);
    if (!is_new)
      refuse(mark, fmt::format("key \"{}\" is given twice, first in line {}", escaped(node.text), first->second));
    map.key_read = true;
    map.key = node.text;
    map.key_place = node.place;
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind, const std::string& tag, YAML::anchor_t anchor) {
    if (stack_.size() >= kYamlDepth) refuse(mark, fmt::format("nested deeper than {} levels", kYamlDepth));
    if (!stack_.empty() && stack_.back().node.kind == YamlNode::Kind::kMap && !stack_.back().key_read) {
      refuse(mark, "a key must be a text");
    }
    Open opened{node_at(mark, kind, tag, anchor), false, {}, {}, {}};
    if (kind == YamlNode::Kind::kList && !stack_.empty()) {
      opened.key = stack_.back().key;
      opened.key_place = stack_.back().key_place;
    }
    stack_.push_back(std::move(opened));
  }

  void close() {
    YamlNode node = std::move(stack_.back().node);
    stack_.pop_back();
    place_into_parent(std::move(node));
  }

  void place_into_parent(YamlNode node) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = stack_.back();
    node.key = parent.key;
    node.key_place = parent.key_place;
    parent.key_read = false;
    parent.node.children.push_back(std::move(node));
  }

  const std::string& file_;
  std::vector<Open> stack_;
  YamlNode root_;
  size_t nodes_ = 0;
};

}  // namespace

Result<YamlNode> parse_yaml(std::string_view text, const std::string& file) {
  if (text.size() > kYamlBytes) {
    return fail(ErrorKind::kMalformed, fmt::format("seen {} bytes, wanted at most {}", text.size(), kYamlBytes),
                {file});
  }
  try {
    std::istringstream input{std::string(text)};
    YAML::Parser parser(input);
    TreeBuilder builder(file);
    if (!parser.HandleNextDocument(builder)) {
      return fail(ErrorKind::kMalformed, "the document is empty", {file, 1, 1});
    }
    YamlNode root = builder.take();
    TreeBuilder second(file);
    if (parser.HandleNextDocument(second)) {
      return fail(ErrorKind::kMalformed, "more than one document", second.take().place);
    }
    if (root.kind != YamlNode::Kind::kMap) return fail(ErrorKind::kMalformed, "wanted keys with values", root.place);
    return root;
  } catch (const YAML::Exception& exception) {
    const YAML::Mark& mark = exception.mark;
    const Place place = mark.is_null() ? Place{file} : Place{file, mark.line + 1, mark.column + 1};
    return fail(ErrorKind::kMalformed, escaped(exception.msg), place);
  }
}

const YamlNode* find_child(const YamlNode& map, std::string_view key) {
  if (map.kind != YamlNode::Kind::kMap) return nullptr;
  for (const YamlNode& child : map.children) {
    if (child.key == key) return &child;
  }
  return nullptr;
}

YamlNode* find_child(YamlNode& map, std::string_view key) {
  return const_cast<YamlNode*>(find_child(std::as_const(map), key));
}

}  // namespace rocert
