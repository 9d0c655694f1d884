#include "lang/common/token_scanner.h"

#include <gtest/gtest.h>

#include "lang/testing/toy.h"

namespace strata::lang {
namespace {

TEST(TokenScanner, PlacesAndValues) {
  const SourceFile file("m", "let\n  x -> 7 ");
  Diagnostics diagnostics(file);
  const auto tokens = toy::Scanner(file, diagnostics).run();
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[1].kind, toy::Kind::identifier);
  EXPECT_EQ(tokens[1].offset, 6u);
  EXPECT_EQ(tokens[2].length, 2u);
  EXPECT_EQ(tokens[2].position, (SourcePosition{2, 5}));
  EXPECT_EQ(tokens[3].value, 7u);
}

TEST(TokenScanner, CommentsAreSkipped) {
  const SourceFile file("m", "# x\n/* y\n *//**/ 1 # /*\n /* z");
  Diagnostics diagnostics(file);
  const auto tokens = toy::Scanner(file, diagnostics).run();
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[0].kind, toy::Kind::number);
  EXPECT_EQ(tokens[0].position, (SourcePosition{3, 9}));
  EXPECT_EQ(tokens[1].kind, toy::Kind::invalid);
  EXPECT_EQ(diagnostics.render(), "m:4:2: error: no end\n   /* z\n   ^\n");
}

TEST(TokenScanner, TheEndStandsBehindTheLastToken) {
  const SourceFile file("m", " x  \n ");
  Diagnostics diagnostics(file);
  const auto tokens = toy::Scanner(file, diagnostics).run();
  EXPECT_EQ(tokens.back().kind, toy::Kind::end_of_file);
  EXPECT_EQ(tokens.back().offset, 2u);
  EXPECT_EQ(tokens.back().position, (SourcePosition{1, 3}));
}

TEST(TokenScanner, WithoutTokensTheEndStandsWhereReadingBegan) {
  const SourceFile file("m", "x  y");
  Diagnostics diagnostics(file);
  const auto tokens = toy::Scanner(file, 1, 3, diagnostics).run();
  ASSERT_EQ(tokens.size(), 1u);
  EXPECT_EQ(tokens[0].position, (SourcePosition{1, 2}));
}

TEST(TokenScanner, WhatIsNoTokenIsReportedAndKept) {
  const SourceFile file("m", "x ∀ y");
  Diagnostics diagnostics(file);
  const auto tokens = toy::Scanner(file, diagnostics).run();
  EXPECT_EQ(diagnostics.render(), "m:1:3: error: no token\n  x ∀ y\n    ^\n");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[1].kind, toy::Kind::invalid);
  EXPECT_EQ(tokens[1].length, 3u);
  EXPECT_EQ(tokens[2].position, (SourcePosition{1, 5}));
}

}  // namespace
}  // namespace strata::lang
