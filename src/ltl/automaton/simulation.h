// Reduction by direct simulation (Somenzi, Bloem 2000). State q simulates p when for every letter and every edge of p
// that reads it q has an edge that reads it, has at least its marks, and leads to a state that simulates its target.
// Then q accepts every word that p accepts. States that simulate each other become one; an edge goes when the others
// of its state read its letters and lead to states that simulate its target.
//
// An edge that no cycle has is taken at most once, so its marks mean nothing. With no marks it is easily matched, with all
// of them it easily matches; both are tried in turn.
#pragma once

#include "ltl/automaton/automaton.h"

namespace strata::ltl {

// Larger automata are left as they are: the relation has a bit for each pair of states.
constexpr size_t kMaximumSimulated = 2000;

// A state-based automaton stays state-based.
void reduce_by_simulation(Automaton& automaton);

}  // namespace strata::ltl
