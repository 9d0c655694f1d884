// LTL -> Büchi automaton: simplify the formula, build an alternating automaton, make it a generalized Büchi automaton,
// reduce, degeneralize, reduce again. The result is state-based with one set, and depends only on the formula.
#pragma once

#include "base/status.h"
#include "ltl/automaton/automaton.h"
#include "ltl/formula/formula.h"

namespace strata::ltl {

// A limit error if the formula is too large.
Result<Automaton> translate(FormulaPool& pool, Formula formula);

}  // namespace strata::ltl
