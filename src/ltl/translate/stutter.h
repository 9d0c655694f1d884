// Whether the truth of a formula on a word can depend on how often a letter is repeated. Formulas for which it cannot
// allow partial-order reduction, and finite paths that go on by stuttering.
//
// Without next it never can. With next it is asked of automata (Michaud, Duret-Lutz: Practical stutter-invariance
// checks for omega-regular languages, 2015): the formula depends on repetitions exactly when a word that
// satisfies it and one that does not become equal by repeating letters. The search runs both automata over
// such a word: in each step both read a letter, or one of them alone reads the last letter again.
#pragma once

#include "ltl/formula/formula.h"

namespace strata::ltl {

enum class Stutter { invariant, sensitive, unknown };

// Unknown when the automata are too large for the search.
Stutter stutter_invariance(FormulaPool& pool, Formula formula);

}  // namespace strata::ltl
