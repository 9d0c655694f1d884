// Stutter invariance: whether the truth of a formula on a word is independent of how often letters are repeated.
// Stutter-invariant formulas allow partial-order reduction, and finite paths that are extended by stuttering.
//
// Formulas without next are stutter-invariant. For others the question is answered on automata (Michaud, Duret-Lutz:
// Practical stutter-invariance checks for omega-regular languages, 2015): the formula is not stutter-invariant exactly
// if repeating letters makes a word that satisfies it equal to one that does not. The search runs both automata on
// such a word: in each step both read a letter, or one of them alone reads the last letter again.
#pragma once

#include "ltl/formula/formula.h"

namespace strata::ltl {

enum class Stutter { invariant, sensitive, unknown };

// Unknown if the automata are too large for the search.
Stutter stutter_invariance(FormulaPool& pool, Formula formula);

}  // namespace strata::ltl
