// From a path of orbits to a path of states. A search of a quotient by symmetry finds representatives of orbits; the
// user sees a run of the model, in which node 2 stays node 2. Each step is found by looking for a successor in the
// orbit of the next state. The path is then replayed on the model without the quotient.
//
// A cycle of orbits need not be a cycle of states: one round may exchange elements. It is repeated until a state
// recurs.
#pragma once

#include "base/status.h"
#include "model/model.h"
#include "model/symmetry.h"
#include "report/result.h"

namespace strata {

struct Unfolding {
  const Symmetry& symmetry;
  // The model without the quotient, with the same views. A state of it begins with the bits of a state of the symmetry.
  const Model& plain;
  uint64_t symmetric_bits = 0;
  DeadlockMode deadlock = DeadlockMode::off;
};

// Replaces the path of orbits, its failure and its text.
Status unfold(const Unfolding& unfolding, Counterexample& counterexample);

}  // namespace strata
