// Alternating automaton -> generalized Büchi automaton with marks on edges (Gastin, Oddoux 2001). A state is a set of
// states of the alternating automaton, which must all accept and which move together. Each until f has a mark; an edge
// with label l to the set S has the mark if
//
//   f is not in S, or f has a move (m, T) with l in m, T in S, f not in T (f is fulfilled, and required again).
//
// An edge is omitted if another edge of the state has a larger label, a smaller target and more marks. States with the
// same edges are merged.
#pragma once

#include "base/status.h"
#include "ltl/automaton/automaton.h"
#include "ltl/translate/alternating.h"

namespace strata::ltl {

// A limit error if there are more edges than this, or more than 64 untils.
constexpr uint64_t kMaximumEdges = 1 << 18;

// The caller sets the names of the propositions.
Result<Automaton> to_generalized(const AlternatingAutomaton& alternating);

}  // namespace strata::ltl
