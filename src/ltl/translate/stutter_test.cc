#include "ltl/translate/stutter.h"

#include <gtest/gtest.h>

#include "ltl/formula/formula_parser.h"

namespace strata::ltl {
namespace {

Stutter stutter(const std::string& text) {
  FormulaPool pool;
  const SourceFile file("formula", text);
  return stutter_invariance(pool, parse_property(file, pool)->formula);
}

TEST(Stutter, WithoutNextIsInvariant) {
  EXPECT_EQ(stutter("G (p -> F q)"), Stutter::invariant);
  EXPECT_EQ(stutter("G F X p"), Stutter::invariant);
  EXPECT_EQ(stutter("true"), Stutter::invariant);
}

TEST(Stutter, NextIsAskedOfAutomata) {
  EXPECT_EQ(stutter("X p"), Stutter::sensitive);
  EXPECT_EQ(stutter("G (p -> X q)"), Stutter::sensitive);
  EXPECT_EQ(stutter("F (p && X !p)"), Stutter::invariant);
  EXPECT_EQ(stutter("F (p && X (!p && F p))"), Stutter::invariant);
  EXPECT_EQ(stutter("F (p && X p)"), Stutter::sensitive);
  EXPECT_EQ(stutter("G (p && X q -> q) && p"), Stutter::invariant);
}

TEST(Stutter, TooManyPropositionsAreLeftOpen) {
  std::string text = "X p0";
  for (int i = 1; i < 30; ++i) text += " && F p" + std::to_string(i / 6);
  EXPECT_NE(stutter(text), Stutter::invariant);
  text = "X (p0";
  for (int i = 1; i < 40; ++i) text += " && p" + std::to_string(i);
  EXPECT_EQ(stutter(text + ")"), Stutter::unknown);
}

}  // namespace
}  // namespace strata::ltl
