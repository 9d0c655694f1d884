#include "ltl/translate/translate.h"

#include <gtest/gtest.h>

#include "base/testing/test_count.h"
#include "ltl/automaton/word.h"
#include "ltl/formula/formula_parser.h"
#include "ltl/testing/random_formula.h"

namespace strata::ltl {
namespace {

// The letters a, b, c ... are the propositions 0, 1, 2 ..., used or not.
Automaton automaton_of(const std::string& text) {
  FormulaPool pool;
  for (const char* name : {"a", "b", "c", "d"}) pool.proposition(name);
  const SourceFile file("formula", text);
  const Result<Property> property = parse_property(file, pool);
  EXPECT_TRUE(property.ok()) << property.status().message();
  const Result<Automaton> automaton = translate(pool, property->formula);
  EXPECT_TRUE(automaton.ok()) << automaton.status().message();
  return *automaton;
}

uint64_t formulas() { return test_count("STRATA_FORMULAS", 400); }

TEST(Translate, SizesOfKnownFormulas) {
  EXPECT_EQ(automaton_of("true").states.size(), 1u);
  EXPECT_EQ(automaton_of("false").states.size(), 1u);
  EXPECT_EQ(automaton_of("G a").states.size(), 1u);
  EXPECT_EQ(automaton_of("F a").states.size(), 2u);
  EXPECT_EQ(automaton_of("a U b").states.size(), 2u);
  EXPECT_EQ(automaton_of("GF a").states.size(), 2u);
  EXPECT_EQ(automaton_of("FG a").states.size(), 2u);
  EXPECT_EQ(automaton_of("G (a -> F b)").states.size(), 2u);
  EXPECT_EQ(automaton_of("GF a && GF b").states.size(), 3u);
  EXPECT_EQ(automaton_of("X X a").states.size(), 4u);
}

TEST(Translate, AgreesWithEvaluationOnRandomWords) {
  for (uint64_t seed = 1; seed <= formulas(); ++seed) {
    Random random(seed);
    RandomFormulaOptions options;
    options.propositions = static_cast<uint32_t>(1 + random.below(3));
    options.operators = static_cast<uint32_t>(random.below(12));
    const TestFormula formula = TestFormula::random(random, options);
    const Automaton automaton = automaton_of(formula.text());
    EXPECT_TRUE(automaton.is_state_based());
    for (int i = 0; i < 60; ++i) {
      const Word word = random_word(random, options.propositions);
      ASSERT_EQ(accepts(automaton, word), formula.holds(word)) << "seed " << seed << ": " << formula.text();
    }
  }
}

}  // namespace
}  // namespace strata::ltl
