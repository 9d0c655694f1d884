// Helpers for the tests of ltl/format.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ltl/formula/formula_parser.h"
#include "ltl/translate/translate.h"

namespace strata::ltl {

inline Automaton automaton_of(const std::string& formula) {
  FormulaPool pool;
  const SourceFile file("formula", formula);
  const Result<Property> property = parse_property(file, pool);
  EXPECT_TRUE(property.ok()) << property.status().message();
  const Result<Automaton> automaton = translate(pool, property->formula);
  EXPECT_TRUE(automaton.ok()) << automaton.status().message();
  return *automaton;
}

}  // namespace strata::ltl
