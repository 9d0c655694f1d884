#include "tool/suite/yaml.h"

#include <gtest/gtest.h>

#include <random>

namespace strata {
namespace {

class Yaml : public testing::Test {
 protected:
  void SetUp() override {
    if (!read_yaml(SourceFile("f.yaml", "a: 1")).ok()) GTEST_SKIP() << "built without yaml-cpp";
  }
};

// One line, as in JSON; numbers have no quotes.
std::string shown(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::number) return node.text;
  if (node.kind == YamlNode::Kind::text) return "'" + node.text + "'";
  std::string out;
  for (const YamlNode::Entry& entry : node.entries) {
    out += out.empty() ? "" : ", ";
    if (node.kind == YamlNode::Kind::mapping) out += entry.key + ": ";
    out += shown(entry.value);
  }
  return node.kind == YamlNode::Kind::mapping ? "{" + out + "}" : "[" + out + "]";
}

std::string read(const std::string& text) {
  const Result<YamlNode> node = read_yaml(SourceFile("f.yaml", text));
  return node.ok() ? shown(*node) : node.status().message();
}

// The first line of the message, without the name of the file.
std::string refused(const std::string& text) {
  const Result<YamlNode> node = read_yaml(SourceFile("f.yaml", text));
  if (node.ok()) return "accepted as " + shown(*node);
  EXPECT_EQ(node.status().code(), StatusCode::usage);
  const std::string message = node.status().message();
  return message.substr(7, message.find('\n') - 7);
}

TEST_F(Yaml, Blocks) {
  EXPECT_EQ(read("a: 1\nb: two\n"), "{a: 1, b: 'two'}");
  EXPECT_EQ(read("--- # begin\na:\n  b:\n    c: 1\n  d: 2\ne: 3"), "{a: {b: {c: 1}, d: 2}, e: 3}");
  EXPECT_EQ(read("a:\n- 1\n- 2\nb: 3\n"), "{a: [1, 2], b: 3}");
  EXPECT_EQ(read("a:\n  - x: 1\n    y: 2\n  - x: 3\n"), "{a: [{x: 1, y: 2}, {x: 3}]}");
  EXPECT_EQ(read("- - 1\n  - 2\n-\n  a: 1\n- b\n"), "[[1, 2], {a: 1}, 'b']");
  EXPECT_EQ(read("\n# only\n\na: b # c\n\n  # d\nc: d#e\n"), "{a: 'b', c: 'd#e'}");
  EXPECT_EQ(read("a: 1\r\nb:\r\n  - x\r\n"), "{a: 1, b: ['x']}");
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a: 1"),
            "{a: 1}");
  EXPECT_EQ(read("alone"), "'alone'");
}

TEST_F(Yaml, Texts) {
  EXPECT_EQ(read("a: |\n  b\nc: \"d\n  e\"\n"), "{a: 'b\n', c: 'd e'}");
  EXPECT_EQ(read("a: -D\nb: --ltl\nc: G F Phil_0.eating\nd: x=\"1\"\ne: http://a:b\n"),
            "{a: '-D', b: '--ltl', c: 'G F Phil_0.eating', d: 'x=\"1\"', e: 'http://a:b'}");
  EXPECT_EQ(read("a: 'it''s # \"so\"'\nb: \"[] p \\\"q\\\" \\\\ \\t\"\n'c d': \"\"\n"),
            "{a: 'it's # \"so\"', b: '[] p \"q\" \\ \t', c d: ''}");
  EXPECT_EQ(read("a: 0\nb: 007\nc: -1\nd: 1.5\ne: '12'\n"), "{a: 0, b: '007', c: '-1', d: '1.5', e: '12'}");
}

TEST_F(Yaml, Flow) {
  EXPECT_EQ(read("a: [-D, N=3, 1]\nb: {c: 1, d: [x y, 'z']}\ne: []\nf: {}\n"),
            "{a: ['-D', 'N=3', 1], b: {c: 1, d: ['x y', 'z']}, e: [], f: {}}");
  EXPECT_EQ(read("a: [1, # one\n  2,\n]\nb: 1"), "{a: [1, 2], b: 1}");
  EXPECT_EQ(read(R"({"options": ["--memory", "2G"], "runs": [{"model":"a.m", "expect": {"states": 3}}]})"),
            "{options: ['--memory', '2G'], runs: [{model: 'a.m', expect: {states: 3}}]}");
}

TEST_F(Yaml, WhatIsRefused) {
  EXPECT_EQ(read("a:\n\tb: 1\n"), "f.yaml:2:3: error: illegal map value\n  \tb: 1\n  \t ^\n");
  EXPECT_EQ(refused(""), "1:1: error: the file is empty");
  EXPECT_EQ(refused("# nothing\n"), "1:1: error: the file is empty");
  EXPECT_EQ(refused("a: &x 1"), "1:4: error: a suite must not use anchors");
  EXPECT_TRUE(refused("a: *x").starts_with("1:4: error: the referenced anchor is not defined"));
  EXPECT_EQ(refused("a: !!str 1"), "1:4: error: a suite must not use tags");
  EXPECT_EQ(refused("a: b\n   c\n"), "1:4: error: a text over several lines must be in quotes");
  EXPECT_EQ(refused("? [a]\n: b\n"), "1:3: error: a key must be a text");
  EXPECT_EQ(refused("a: 1\n---\nb: 1\n"), "2:1: error: a suite is one document");
  EXPECT_EQ(refused("a: @x"), "1:4: error: unknown token");
  EXPECT_EQ(refused("a: true"), "1:4: error: true is a YAML boolean; quote it to use it as text");
  EXPECT_EQ(refused("a: b: c"), "1:5: error: illegal map value");
  EXPECT_EQ(refused("a: 1\nb: 2\na: 3\n"), "3:1: error: 'a' is given twice, first in line 1");
  EXPECT_EQ(refused("a:\nb: 1\n"), "1:1: error: a value is missing; quote null or ~ to use it as text");
  EXPECT_EQ(refused("a: - b\n"), "1:4: error: illegal block entry");
  EXPECT_EQ(refused("a:\n  b: 1\n c: 2\n"), "3:2: error: end of map not found");
  EXPECT_EQ(refused("  a: 1\nb: 2\n"), "2:1: error: a suite is one document");
  EXPECT_EQ(refused("- a\n-\n- b"), "3:1: error: a value is missing; quote null or ~ to use it as text");
  EXPECT_EQ(refused("a: 'b' c\n"), "1:8: error: end of map not found");
  EXPECT_EQ(refused("a: [1, 2\nb: 3\n"), "1:8: error: a text over several lines must be in quotes");
  EXPECT_EQ(refused("a: [1 2}\n"), "1:8: error: illegal flow end");
  EXPECT_EQ(refused("a: {b: , c: 1}\n"), "1:5: error: a value is missing; quote null or ~ to use it as text");
  EXPECT_NE(refused(std::string(1000, '[')).substr(0, 8), "accepted");
  EXPECT_NE(refused("a: " + std::string(150, '[') + std::string(150, ']')).substr(0, 8), "accepted");
}

// Whatever the text, it is read or refused.
TEST_F(Yaml, RandomTexts) {
  std::mt19937 random(26);
  const std::string signs = "ab: -#\n\n  \t'\"[]{},&*!|>%?\\\r0";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (size_t length = random() % 40; text.size() < length;) text += signs[random() % signs.size()];
    const Result<YamlNode> node = read_yaml(SourceFile("f.yaml", text));
    EXPECT_TRUE(node.ok() || node.status().message().starts_with("f.yaml:")) << text;
  }
}

}  // namespace
}  // namespace strata
