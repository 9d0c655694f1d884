// Whether a model treats the elements of its symmetric sets alike, tried out: for states s of a random walk and random
// permutations p, the successors of p(s) must be p applied to the successors of s, both must fail alike, and every property
// and proposition must agree. A quotient by symmetries that the model does not have would miss states.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/status.h"
#include "model/model.h"

namespace strata {

struct SymmetryCheck {
  uint64_t states = 100;
  uint64_t seed = 1;
  DeadlockMode deadlock = DeadlockMode::stuttering;
  bool propositions = false;  // the model evaluates some
};

// Fails with the rule, the states and the set where a difference was found; ends early when `stop` becomes true. The model has
// symmetries.
Status check_symmetry(const Model& model, const SymmetryCheck& check, const std::atomic<bool>& stop);

}  // namespace strata
