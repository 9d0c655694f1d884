#include "lsp/text/document.h"

#include <gtest/gtest.h>

namespace strata::lsp {
namespace {

Json place(uint32_t line, uint32_t character) { return {{"line", line}, {"character", character}}; }

Document document(const std::string& text) {
  Document one;
  one.uri = "file:///m.m";
  one.path = "/m.m";
  one.file = std::make_shared<SourceFile>("/m.m", text);
  return one;
}

TEST(Document, CountsInUtf16) {
  const SourceFile file("m", "a\xC3\xA9\xF0\x9F\x98\x80z\r\nb\n");  // aé😀z
  EXPECT_EQ(offset_of(file, 0, 1), 1u);
  EXPECT_EQ(offset_of(file, 0, 2), 3u);
  EXPECT_EQ(offset_of(file, 0, 4), 7u);
  EXPECT_EQ(offset_of(file, 0, 5), 8u);
  EXPECT_EQ(offset_of(file, 0, 99), 8u);
  EXPECT_EQ(offset_of(file, 1, 0), 10u);
  EXPECT_EQ(offset_of(file, 2, 0), 12u);
  EXPECT_EQ(offset_of(file, 99, 3), 12u);
  EXPECT_EQ(place_json(file, SourcePosition{1, 4}), place(0, 4));
  EXPECT_EQ(place_json(file, SourcePosition{1, 5}), place(0, 5));
  EXPECT_EQ(place_json(file, SourcePosition{}), place(0, 0));
  EXPECT_EQ(place_json(file, size_t{12}), place(2, 0));
}

TEST(Document, IsChangedAsTheEditorSays) {
  Document one = document("var x: 0..3;\nvar y: boolean;\n");
  EXPECT_TRUE(one.change({{"range", {{"start", place(0, 4)}, {"end", place(0, 5)}}}, {"text", "zeta"}}));
  EXPECT_EQ(one.file->text(), "var zeta: 0..3;\nvar y: boolean;\n");
  EXPECT_TRUE(one.change({{"range", {{"start", place(0, 15)}, {"end", place(1, 15)}}}, {"text", ""}}));
  EXPECT_EQ(one.file->text(), "var zeta: 0..3;\n");
  EXPECT_TRUE(one.change({{"text", "all"}}));
  EXPECT_EQ(one.file->text(), "all");
  EXPECT_FALSE(one.change({{"range", {{"start", place(0, 2)}, {"end", place(0, 1)}}}, {"text", ""}}));
  EXPECT_FALSE(one.change({{"range", 1}, {"text", ""}}));
  EXPECT_FALSE(one.change({{"text", 1}}));
  EXPECT_EQ(one.file->text(), "all");
}

TEST(Document, PathsAreThoseOfAddresses) {
  EXPECT_EQ(path_of("file:///a%20b/%C3%A9.m"), "/a b/\xC3\xA9.m");
  EXPECT_EQ(path_of("file://host/x.m"), "/x.m");
  EXPECT_EQ(path_of("file:///x%2"), "/x%2");
  EXPECT_EQ(path_of("untitled:1"), "untitled:1");
}

TEST(TextMap, FollowsWhatIsTheSame) {
  const SourceFile from("m", "one two three"), to("m", "one 2 three");
  const TextMap map(from, to);
  EXPECT_EQ(map.there(2), 2u);
  EXPECT_EQ(map.there(8), 6u);
  EXPECT_EQ(map.there(13), 11u);
  EXPECT_EQ(map.back(6), 8u);
  EXPECT_EQ(map.there(5), std::nullopt);
}

TEST(TextMap, FollowsPartsThatAreTheSame) {
  const auto there = [](const std::string& to, size_t begin, size_t end) -> std::string {
    const SourceFile one("m", "one two three"), other("m", to);
    const auto span = TextMap(one, other).there(TextMap::Span{begin, end});
    return span ? to.substr(span->begin, span->end - span->begin) : "none";
  };
  EXPECT_EQ(there("one 2 three", 0, 3), "one");
  EXPECT_EQ(there("one 2 three", 8, 13), "three");
  EXPECT_EQ(there("one 2 three", 4, 7), "none");
  EXPECT_EQ(there("one 2 three", 0, 7), "none");
  EXPECT_EQ(there("one new two three", 4, 7), "two");
  EXPECT_EQ(there("one two new three", 4, 7), "two");
  EXPECT_EQ(there("one two", 8, 13), "none");
  EXPECT_EQ(there("one two three", 8, 14), "none");
}

}  // namespace
}  // namespace strata::lsp
