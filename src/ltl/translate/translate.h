// LTL -> Büchi automaton: simplify, make an alternating automaton, make a generalized Büchi automaton, reduce
// it, degeneralize it, reduce it again. The result is state-based with one set and depends on nothing but the
// formula.
#pragma once

#include "base/status.h"
#include "ltl/automaton/automaton.h"
#include "ltl/formula/formula.h"

namespace strata::ltl {

// A limit error when the formula is too large.
Result<Automaton> translate(FormulaPool& pool, Formula formula);

}  // namespace strata::ltl
