#include "model/yaml_tree.h"

#include <gtest/gtest.h>

namespace rocert {
namespace {

std::string error_of(std::string_view text) {
  const auto tree = parse_yaml(text, "f.yaml");
  return tree ? "no error" : to_text(tree.error());
}

TEST(ParseYaml, KeepsKeysTextsAndPlaces) {
  const auto tree = parse_yaml("a: 1\nb:\n  - x\n  - 'y'\nc: {d: ~}\n", "f.yaml");
  ASSERT_TRUE(tree) << to_text(tree.error());
  ASSERT_EQ(tree->children.size(), 3u);
  const YamlNode* a = find_child(*tree, "a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->text, "1");
  EXPECT_FALSE(a->quoted);
  EXPECT_EQ(a->place, (Place{"f.yaml", 1, 4}));
  EXPECT_EQ(a->key_place, (Place{"f.yaml", 1, 1}));
  const YamlNode* b = find_child(*tree, "b");
  ASSERT_NE(b, nullptr);
  ASSERT_EQ(b->children.size(), 2u);
  EXPECT_EQ(b->children[0].key, "b");
  EXPECT_TRUE(b->children[1].quoted);
  EXPECT_EQ(b->children[1].place, (Place{"f.yaml", 4, 5}));
  const YamlNode* d = find_child(*find_child(*tree, "c"), "d");
  ASSERT_NE(d, nullptr);
  EXPECT_EQ(d->kind, YamlNode::Kind::kNull);
  EXPECT_EQ(find_child(*tree, "missing"), nullptr);
  EXPECT_EQ(find_child(*a, "any"), nullptr);
}

TEST(ParseYaml, RefusesWhatIsNoYamlAtItsPlace) {
  const auto tree = parse_yaml("a: 1\nb: [1, 2\n", "f.yaml");
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().kind, ErrorKind::kMalformed);
  EXPECT_EQ(tree.error().place.file, "f.yaml");
  EXPECT_GE(tree.error().place.line, 2);
}

TEST(ParseYaml, RefusesDuplicateKeys) {
  EXPECT_EQ(error_of("a: 1\nb: {c: 1, d: 2, c: 3}\n"), "f.yaml:2:17: key \"c\" is given twice, first in line 2");
  EXPECT_EQ(error_of("a: 1\nb: 2\na: 3\n"), "f.yaml:3:1: key \"a\" is given twice, first in line 1");
}

TEST(ParseYaml, TakesOneKeyInSeveralMaps) { EXPECT_EQ(error_of("a: {c: 1}\nb: {c: 1}\n"), "no error"); }

TEST(ParseYaml, RefusesAnchorsAliasesTagsAndMergeBombs) {
  EXPECT_NE(error_of("a: &x 1\n").find("anchors are not taken"), std::string::npos);
  EXPECT_NE(error_of("a: &x [1]\nb: [*x, *x]\n").find("anchors are not taken"), std::string::npos);
  EXPECT_NE(error_of("a: &x ~\n").find("anchors are not taken"), std::string::npos);
  EXPECT_NE(error_of("a: !!str 1\n").find("tags are not taken"), std::string::npos);
  EXPECT_NE(error_of("a: !mine {b: 1}\n").find("tags are not taken"), std::string::npos);
  EXPECT_NE(error_of("a: *x\n"), "no error");
}

TEST(ParseYaml, RefusesKeysThatAreNoText) {
  EXPECT_NE(error_of("[a]: 1\n"), "no error");
  EXPECT_NE(error_of("? {a: 1}\n: 1\n"), "no error");
  EXPECT_NE(error_of("~: 1\n"), "no error");
  EXPECT_NE(error_of("\"\": 1\n"), "no error");
  EXPECT_NE(error_of(std::string(kYamlKeyLength + 1, 'k') + ": 1\n"), "no error");
}

TEST(ParseYaml, RefusesOtherDocuments) {
  EXPECT_EQ(error_of(""), "f.yaml:1:1: the document is empty");
  EXPECT_NE(error_of("# only a comment\n"), "no error");
  EXPECT_EQ(error_of("a: 1\n---\nb: 1\n"), "f.yaml:3:1: more than one document");
  EXPECT_EQ(error_of("[a, b]\n"), "f.yaml:1:1: wanted keys with values");
  EXPECT_EQ(error_of("hello\n"), "f.yaml:1:1: wanted keys with values");
}

TEST(ParseYaml, BoundsSizeDepthAndNodes) {
  EXPECT_NE(error_of(std::string(kYamlBytes + 1, ' ')).find("at most 1048576"), std::string::npos);
  EXPECT_NE(error_of("a: " + std::string(kYamlDepth, '[') + std::string(kYamlDepth, ']')).find("nested deeper"),
            std::string::npos);
  EXPECT_EQ(error_of("a: " + std::string(kYamlDepth - 1, '[') + std::string(kYamlDepth - 1, ']')), "no error");
  std::string many = "a: [";
  for (size_t i = 0; i < kYamlNodes; ++i) many += "1,";
  EXPECT_NE(error_of(many + "]").find("more than 200000 nodes"), std::string::npos);
}

// Each of these once was a way to keep a YAML parser busy or to overrun its stack.
TEST(ParseYaml, EndsOnHostileText) {
  for (const char* piece :
       {"[", "{", "- ", "? ", "a: {", "!", "&a ", "|\n ", "\"", "%", "- - ", "[[{", ",", "\t", ": "}) {
    std::string text;
    while (text.size() < 20'000) text += piece;
    const auto tree = parse_yaml(text, "f.yaml");
    EXPECT_FALSE(tree) << piece;
  }
  EXPECT_FALSE(parse_yaml(std::string("\0\0\0\0", 4), "f.yaml"));
}

}  // namespace
}  // namespace rocert
