// From a path of orbits to a path of states. A search of a quotient by symmetry finds states that each stand
// for an orbit; what the user sees is a run of the model: node 2 stays node 2. It is found step by step, by
// looking for a successor in the orbit of the next state, and replayed on the model without the quotient.
//
// A cycle of orbits need not be one of states: the way round may exchange elements. It is gone round again
// until a state comes back.
#pragma once

#include "base/status.h"
#include "model/model.h"
#include "model/symmetry.h"
#include "report/result.h"

namespace strata {

struct Unfolding {
  const Symmetry& symmetry;
  // The model without the quotient, with the same views; a state of it begins with the bits of a state of the symmetry.
  const Model& plain;
  uint64_t symmetric_bits = 0;
  DeadlockMode deadlock = DeadlockMode::off;
};

// Replaces the path of orbits, its failure and its text.
Status unfold(const Unfolding& unfolding, Counterexample& counterexample);

}  // namespace strata
