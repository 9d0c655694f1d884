// Alternating automaton -> generalized Büchi automaton with marks on edges (Gastin, Oddoux 2001). A state is a set of
// states of the alternating automaton, which must all accept; it moves as they do together. There is a mark for each
// until f; an edge with label l to the set S has it when
//
//   f is not in S, or f has a move (m, T) with l in m, T in S, f not in T (f is fulfilled, and asked for again).
//
// Of two edges of a state the one with a smaller label, a larger target and fewer marks is left out, and states with
// the same edges are one.
#pragma once

#include "base/status.h"
#include "ltl/automaton/automaton.h"
#include "ltl/translate/alternating.h"

namespace strata::ltl {

// A limit error when there are more edges than this or more than 64 untils.
constexpr uint64_t kMaximumEdges = 1 << 18;

// The propositions' names are left to the caller.
Result<Automaton> to_generalized(const AlternatingAutomaton& alternating);

}  // namespace strata::ltl
