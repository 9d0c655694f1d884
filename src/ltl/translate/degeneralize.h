// Generalized Büchi automaton -> state-based Büchi automaton with one set. A state of the result is a pair of a state
// and a level: the number of marks, in a fixed order, seen since the level was last full. Pairs with a full level are
// accepting; the next edge counts from 0 again.
//
// Three observations reduce the number of pairs (as in Babiak et al.: Compositional approach to suspension and other
// improvements to LTL translation, 2013):
// - each component counts only the marks that some of its edges lack; a component that accepts nothing counts none;
// - marks that all edges of a state within its component have are counted when the state is entered;
// - of the copies of a component, one that has no edge to another copy is enough: all edges from outside lead to it.
#pragma once

#include "ltl/automaton/automaton.h"

namespace strata::ltl {

// Options that affect only the size of the result; which are best differs between automata.
struct DegeneralizeOptions {
  bool reversed = false;  // count the marks from the last to the first
  bool recount = true;    // when a state is left with a full level, count the marks of all its edges again
};

Automaton degeneralize(const Automaton& automaton, DegeneralizeOptions options = {});

}  // namespace strata::ltl
