// Reduction by direct simulation (Somenzi, Bloem 2000). State q simulates p if for every edge of p and every letter
// that it reads, q has an edge that reads the letter, has at least the same marks, and leads to a state that simulates
// the edge's target. Then q accepts every word that p accepts. States that simulate each other are merged. An edge is
// removed if other edges of its state read its letters and lead to states that simulate its target.
//
// An edge on no cycle is taken at most once, so its marks have no effect. Without marks it is easily simulated; with
// all marks it easily simulates others; both are tried in turn.
#pragma once

#include "ltl/automaton/automaton.h"

namespace strata::ltl {

// Automata with more edges are not reduced: the time is quadratic in their number.
constexpr uint64_t kMaximumSimulatedEdges = 4000;

// A state-based automaton stays state-based.
void reduce_by_simulation(Automaton& automaton);

// Removes from each edge the letters with which a better edge of the same state exists. Then fewer edges read the same
// letter, and products with a model become smaller.
void make_more_deterministic(Automaton& automaton);

}  // namespace strata::ltl
