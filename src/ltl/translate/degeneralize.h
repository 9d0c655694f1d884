// Generalized Büchi automaton -> state-based Büchi automaton with one set. A state is a pair of a state and a
// level: how many of the marks, in their order, were seen since the level was last full. A full level makes
// the pair accepting; the next edge counts from 0 again.
//
// Fewer pairs are needed because (as in Babiak et al.: Compositional approach to suspension and other improvements
// to LTL translation, 2013)
// - each component counts only the marks that some of its edges lack, and one that accepts nothing counts none;
// - marks that all edges of a state within its component have are counted when the state is entered;
// - of the copies of a component that come to be, one that is never left for another is enough: all edges from
//   outside lead there.
#pragma once

#include "ltl/automaton/automaton.h"

namespace strata::ltl {

// Choices that matter for the size only; which is best differs from automaton to automaton.
struct DegeneralizeOptions {
  bool reversed = false;  // count the marks from the last to the first
  bool recount =
      true;  // count marks that all edges of a state have a second time when it is left with a full level
};

Automaton degeneralize(const Automaton& automaton, DegeneralizeOptions options = {});

}  // namespace strata::ltl
