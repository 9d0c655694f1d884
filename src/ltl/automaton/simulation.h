// Reduction by direct simulation (Somenzi, Bloem 2000). State q simulates p when for every letter and every edge of p
// that reads it q has an edge that reads it, has at least its marks, and leads to a state that simulates its target.
// Then q accepts every word that p accepts. States that simulate each other become one; an edge goes when the others
// of its state read its letters and lead to states that simulate its target.
//
// An edge that no cycle has is taken at most once, so its marks mean nothing. With no marks it is easily
// matched, with all of them it easily matches; both are tried in turn.
#pragma once

#include "ltl/automaton/automaton.h"

namespace strata::ltl {

// Automata with more edges are left as they are: the time grows with the square of their number.
constexpr uint64_t kMaximumSimulatedEdges = 4000;

// A state-based automaton stays state-based.
void reduce_by_simulation(Automaton& automaton);

// Takes from each edge the letters with which another edge of its state does better, so that fewer edges read the same
// letter: products with a model become smaller.
void make_more_deterministic(Automaton& automaton);

}  // namespace strata::ltl
