#include "base/source.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace strata {
namespace {

std::string rendered(const std::string& text, SourcePosition position, const std::string& message) {
  const SourceFile file("m.m", text);
  Diagnostics diagnostics(file);
  diagnostics.error(position, message);
  return diagnostics.render();
}

TEST(SourceFile, CountsLinesAndColumnsFromOne) {
  const SourceFile file("m", "ab\ncd\n");
  EXPECT_EQ(file.position(0), (SourcePosition{1, 1}));
  EXPECT_EQ(file.position(1), (SourcePosition{1, 2}));
  EXPECT_EQ(file.position(3), (SourcePosition{2, 1}));
  EXPECT_EQ(file.position(6), (SourcePosition{3, 1}));
  EXPECT_EQ(file.position(1000), (SourcePosition{3, 1}));
}

TEST(SourceFile, ColumnsAreCharacters) {
  const SourceFile file("m", "x ≤ ∀y");
  EXPECT_EQ(file.position(2), (SourcePosition{1, 3}));
  EXPECT_EQ(file.position(6), (SourcePosition{1, 5}));
  EXPECT_EQ(file.position(9), (SourcePosition{1, 6}));
}

TEST(SourceFile, KnowsAllLineEnds) {
  const SourceFile file("m", "a\r\nb\rc\nd");
  EXPECT_EQ(file.line(1), "a");
  EXPECT_EQ(file.line(2), "b");
  EXPECT_EQ(file.line(3), "c");
  EXPECT_EQ(file.line(4), "d");
  EXPECT_EQ(file.line(0), "");
  EXPECT_EQ(file.line(5), "");
  EXPECT_EQ(file.position(3), (SourcePosition{2, 1}));
  EXPECT_EQ(file.position(5), (SourcePosition{3, 1}));
}

TEST(SourceFile, SkipsAByteOrderMark) {
  const SourceFile file("m", "\xEF\xBB\xBFvar");
  EXPECT_EQ(file.text(), "var");
  EXPECT_EQ(file.position(0), (SourcePosition{1, 1}));
}

TEST(SourceFile, AnEmptyTextHasOneEmptyLine) {
  const SourceFile file("m", "");
  EXPECT_EQ(file.line(1), "");
  EXPECT_EQ(file.position(0), (SourcePosition{1, 1}));
}

TEST(SourceFile, LoadsAFile) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "strata_source_test.m";
  std::ofstream(path) << "var x: boolean;\n";
  const Result<SourceFile> file = SourceFile::load(path.string());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->text(), "var x: boolean;\n");
  EXPECT_EQ(file->name(), path.string());
  std::filesystem::remove(path);
}

TEST(SourceFile, SaysWhyItCannotLoad) {
  const Result<SourceFile> missing = SourceFile::load("/nowhere/x.m");
  EXPECT_EQ(missing.status().code(), StatusCode::system);
  EXPECT_EQ(missing.status().message(), "cannot read '/nowhere/x.m': No such file or directory");
  EXPECT_EQ(SourceFile::load("/").status().message(), "cannot read '/': it is a folder, not a file");
}

TEST(Diagnostics, ShowsTheLineAndACaret) {
  EXPECT_EQ(rendered("var\n  x : Prc;\n", {2, 7}, "unknown type 'Prc'"),
            "m.m:2:7: error: unknown type 'Prc'\n"
            "    x : Prc;\n"
            "        ^\n");
}

TEST(Diagnostics, KeepsTabsUnderTabs) {
  EXPECT_EQ(rendered("\tx\t:= ≤;", {1, 6}, "oops"),
            "m.m:1:6: error: oops\n"
            "  \tx\t:= ≤;\n"
            "  \t \t  ^\n");
}

TEST(Diagnostics, CountsAWideCharacterAsOne) {
  EXPECT_EQ(rendered("∀∃ x", {1, 4}, "oops"),
            "m.m:1:4: error: oops\n"
            "  ∀∃ x\n"
            "     ^\n");
}

TEST(Diagnostics, MayPointBehindTheLine) {
  EXPECT_EQ(rendered("ab", {1, 3}, "oops"), "m.m:1:3: error: oops\n  ab\n    ^\n");
  EXPECT_EQ(rendered("ab", {1, 99}, "oops"), "m.m:1:99: error: oops\n  ab\n    ^\n");
  EXPECT_EQ(rendered("", {1, 1}, "oops"), "m.m:1:1: error: oops\n  \n  ^\n");
}

TEST(Diagnostics, WithoutPositionShowsOnlyTheMessage) {
  EXPECT_EQ(rendered("ab", {}, "the model has no start state"), "m.m: error: the model has no start state\n");
}

TEST(Diagnostics, DropsTheCarriageReturn) {
  EXPECT_EQ(rendered("ab\r\ncd\r\n", {1, 2}, "oops"), "m.m:1:2: error: oops\n  ab\n   ^\n");
}

TEST(Diagnostics, ShowsControlAndBrokenBytesAsReplacements) {
  EXPECT_EQ(rendered(std::string("a\0b\x1B[31mc", 9), {1, 3}, "oops"),
            "m.m:1:3: error: oops\n"
            "  a�b�[31mc\n"
            "    ^\n");
  EXPECT_EQ(rendered("a\xFF\xC3z\xE2\x80\xAE", {1, 4}, "oops"), "m.m:1:4: error: oops\n  a��z�\n     ^\n");
  EXPECT_EQ(rendered("ab", {1, 1}, "found '\x1B'"), "m.m:1:1: error: found '�'\n  ab\n  ^\n");
}

TEST(Diagnostics, ShowsAWindowOfALongLine) {
  const std::string line = std::string(500, 'a') + 'X' + std::string(500, 'b');
  EXPECT_EQ(rendered(line, {1, 501}, "oops"), "m.m:1:501: error: oops\n  ..." + std::string(80, 'a') + "X" +
                                                  std::string(79, 'b') + "...\n  " + std::string(83, ' ') +
                                                  "^\n");
  EXPECT_EQ(rendered(line, {1, 1}, "oops"),
            "m.m:1:1: error: oops\n  " + std::string(160, 'a') + "...\n  ^\n");
  EXPECT_EQ(rendered(line, {1, 1001}, "oops"), "m.m:1:1001: error: oops\n  ..." + std::string(160, 'b') +
                                                   "\n  " + std::string(162, ' ') + "^\n");
}

TEST(Diagnostics, SortsByPosition) {
  const SourceFile file("m", "a\nb\n");
  Diagnostics diagnostics(file);
  diagnostics.error({2, 1}, "second");
  diagnostics.error({1, 1}, "first");
  EXPECT_EQ(diagnostics.render(), "m:1:1: error: first\n  a\n  ^\nm:2:1: error: second\n  b\n  ^\n");
}

TEST(Diagnostics, SaysNothingTwice) {
  const SourceFile file("m", "a");
  Diagnostics diagnostics(file);
  diagnostics.error({1, 1}, "oops");
  diagnostics.error({1, 1}, "oops");
  diagnostics.error({1, 1}, "another");
  EXPECT_EQ(diagnostics.count(), 2u);
}

TEST(Diagnostics, StopsCollectingAtTheMaximum) {
  const SourceFile file("m", "a");
  Diagnostics diagnostics(file);
  for (uint32_t i = 1; i <= 50; ++i) diagnostics.error({1, i}, "oops");
  EXPECT_TRUE(diagnostics.full());
  EXPECT_EQ(diagnostics.count(), Diagnostics::kMaximum);
}

TEST(Diagnostics, BecomesAStatus) {
  const SourceFile file("m", "a");
  Diagnostics diagnostics(file);
  EXPECT_TRUE(diagnostics.status().ok());
  diagnostics.error({1, 1}, "oops");
  EXPECT_EQ(diagnostics.status().code(), StatusCode::model);
  EXPECT_EQ(diagnostics.status().message(), "m:1:1: error: oops\n  a\n  ^\n");
}

}  // namespace
}  // namespace strata
