#include "lang/common/token.h"

#include <gtest/gtest.h>

#include "lang/testing/toy.h"

namespace strata::lang {
namespace {

using toy::Kind;

TEST(Token, WordsAreFoundWhole) {
  EXPECT_EQ(find_word(toy::kWords, "end"), Kind::word_end);
  EXPECT_EQ(find_word(toy::kWords, "plus"), Kind::plus);
  EXPECT_EQ(find_word(toy::kWords, "en"), std::nullopt);
  EXPECT_EQ(find_word(toy::kWords, "ends"), std::nullopt);
  EXPECT_EQ(find_word(toy::kWords, "zebra"), std::nullopt);
}

TEST(Token, TheLongestSymbolWins) {
  EXPECT_EQ(find_symbol(toy::kSymbols, "->x")->text, "->");
  EXPECT_EQ(find_symbol(toy::kSymbols, "-x")->text, "-");
  EXPECT_EQ(find_symbol(toy::kSymbols, ">"), nullptr);
}

TEST(Token, OfSeveralSpellingsTheFirstIsWritten) {
  EXPECT_EQ(toy::spelling(Kind::plus), "+");
  EXPECT_EQ(toy::spelling(Kind::word_let), "let");
  EXPECT_EQ(toy::spelling(Kind::number), "");
}

}  // namespace
}  // namespace strata::lang
