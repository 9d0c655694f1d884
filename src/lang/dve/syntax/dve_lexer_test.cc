#include "lang/dve/syntax/dve_lexer.h"

#include <gtest/gtest.h>

namespace strata::dve {
namespace {

std::vector<TokenKind> kinds(const std::string& text) {
  const SourceFile file("m", text);
  Diagnostics diagnostics(file);
  std::vector<TokenKind> found;
  for (const Token& token : tokenize(file, diagnostics)) found.push_back(token.kind);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render();
  found.pop_back();
  return found;
}

using Kind = TokenKind;

TEST(DveLexer, BothSpellingsOfAnOperatorAreOneToken) {
  EXPECT_EQ(kinds("and && or ||"), (std::vector{Kind::and_and, Kind::and_and, Kind::or_or, Kind::or_or}));
  EXPECT_EQ(kinds("not !"), (std::vector{Kind::not_word, Kind::exclamation}));
}

TEST(DveLexer, TheLongestSymbolWins) {
  EXPECT_EQ(kinds("a->b<=c<<d..e.f!=g"),
            (std::vector{Kind::identifier, Kind::arrow, Kind::identifier, Kind::less_equal, Kind::identifier,
                         Kind::shift_left, Kind::identifier, Kind::dot_dot, Kind::identifier, Kind::dot,
                         Kind::identifier, Kind::not_equal, Kind::identifier}));
}

TEST(DveLexer, WordsOfDivine3AreNames) {
  EXPECT_EQ(kinds("input expression key for ltl"), std::vector(5, Kind::identifier));
}

TEST(DveLexer, CommentsAreSkipped) {
  EXPECT_EQ(kinds("\xEF\xBB\xBFx // y\n/* z\n * */ 7"), (std::vector{Kind::identifier, Kind::number}));
}

TEST(DveLexer, PositionsAndValues) {
  const SourceFile file("m", "x\n  215");
  Diagnostics diagnostics(file);
  const std::vector<Token> tokens = tokenize(file, diagnostics);
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].position, (SourcePosition{2, 3}));
  EXPECT_EQ(tokens[1].value, 215u);
  EXPECT_EQ(tokens[2].position, (SourcePosition{2, 6}));
}

TEST(DveLexer, APartOfAText) {
  const SourceFile file("m", "#define x P.a $");
  Diagnostics diagnostics(file);
  EXPECT_EQ(tokenize(file, 10, 13, diagnostics).size(), 4u);
  EXPECT_FALSE(diagnostics.has_errors());
}

}  // namespace
}  // namespace strata::dve
