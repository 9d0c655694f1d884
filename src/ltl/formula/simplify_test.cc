#include "ltl/formula/simplify.h"

#include <gtest/gtest.h>

#include "ltl/formula/formula_parser.h"

namespace strata::ltl {
namespace {

class SimplifyTest : public testing::Test {
 protected:
  Formula parse(const std::string& text) {
    const SourceFile file("formula", text);
    return parse_property(file, pool_)->formula;
  }
  std::string simplified(const std::string& text) { return pool_.text(simplifier_.simplify(parse(text))); }
  // Both formulas are simplified to the same formula.
  void expect_same(const std::string& a, const std::string& b) { EXPECT_EQ(simplified(a), simplified(b)); }

  FormulaPool pool_;
  Simplifier simplifier_{pool_};
};

TEST_F(SimplifyTest, Constants) {
  EXPECT_EQ(simplified("a U true"), "true");
  EXPECT_EQ(simplified("G false"), "false");
  EXPECT_EQ(simplified("X true"), "true");
  EXPECT_EQ(simplified("a && !a"), "false");
  EXPECT_EQ(simplified("(a && b) || (a && !b)"), simplified("a"));
}

TEST_F(SimplifyTest, Implications) {
  EXPECT_EQ(simplified("F a && G a"), "G a");
  EXPECT_EQ(simplified("(a U b) || F b"), "F b");
  EXPECT_EQ(simplified("!b U b"), "F b");
  EXPECT_EQ(simplified("G a && F !a"), "false");
  EXPECT_EQ(simplified("a && (a R b)"), "a && b");
  EXPECT_EQ(simplified("a U (b U a)"), "b U a");
  EXPECT_EQ(simplified("F (b U a)"), "F a");
  EXPECT_EQ(simplified("G (b R a)"), "G a");
}

TEST_F(SimplifyTest, PureEventualitiesAndUniversalities) {
  EXPECT_EQ(simplified("F F a"), "F a");
  EXPECT_EQ(simplified("a U F b"), "F b");
  EXPECT_EQ(simplified("F G F a"), "G F a");
  EXPECT_EQ(simplified("X G F a"), "G F a");
  EXPECT_EQ(simplified("G F X a"), "G F a");
  EXPECT_EQ(simplified("G G a"), "G a");
  EXPECT_EQ(simplified("F (a && G F b)"), "F a && G F b");
  EXPECT_EQ(simplified("G (a || F G b)"), "G a || F G b");
}

TEST_F(SimplifyTest, CommonOperands) {
  EXPECT_EQ(simplified("F a || F b"), "F (a || b)");
  EXPECT_EQ(simplified("G a && G b"), "G (a && b)");
  EXPECT_EQ(simplified("G F a || G F b"), "G F (a || b)");
  EXPECT_EQ(simplified("F G a && F G b"), "F G (a && b)");
  EXPECT_EQ(simplified("(a U c) && (b U c)"), "(a && b) U c");
  EXPECT_EQ(simplified("(a U b) || (a U c)"), "a U (b || c)");
  EXPECT_EQ(simplified("X a && X b"), "X (a && b)");
  expect_same("(X a) U (X b)", "X (a U b)");
  expect_same("F X a", "X F a");
}

TEST_F(SimplifyTest, NegationIsPushedDown) {
  EXPECT_EQ(pool_.text(parse("!(a U b)")), "!a R !b");
  EXPECT_EQ(pool_.text(parse("!(a -> X b)")), "a && X !b");
  EXPECT_EQ(pool_.text(parse("!G F a")), "F G !a");
  EXPECT_EQ(pool_.negation(pool_.negation(parse("a U (b && X c)"))), parse("a U (b && X c)"));
}

TEST_F(SimplifyTest, InvariantsAreRecognised) {
  const auto invariant = [&](const std::string& text) {
    const std::optional<Formula> found = invariant_of(simplifier_.simplify(parse(text)));
    return found ? pool_.text(*found) : "none";
  };
  EXPECT_EQ(invariant("G (a && !b)"), "a && !b");
  EXPECT_EQ(invariant("! F a"), "!a");
  EXPECT_EQ(invariant("G a && G b"), "a && b");
  EXPECT_EQ(invariant("!(true U (a || b))"), "!b && !a");
  EXPECT_EQ(invariant("F a"), "none");
  EXPECT_EQ(invariant("G F a"), "none");
  EXPECT_EQ(invariant("G (a -> X b)"), "none");
}

TEST_F(SimplifyTest, PropositionalFormulasHaveValues) {
  const Formula f = parse("a && (!b || c)");  // a, b, c are bits 0, 1, 2
  EXPECT_TRUE(evaluate(f, 0b001));
  EXPECT_FALSE(evaluate(f, 0b011));
  EXPECT_TRUE(evaluate(f, 0b111));
  EXPECT_FALSE(evaluate(f, 0b100));
}

}  // namespace
}  // namespace strata::ltl
