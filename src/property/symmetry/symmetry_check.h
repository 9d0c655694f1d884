// Tests on the states of a random walk whether a model treats the elements of its symmetric sets alike
// (view/quotient/orbit_probe.h). A quotient by symmetries that the model does not have would miss states.
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

// REQUIRES: the model has symmetries. Fails with the rule, the states and the set of the first difference: an error of
// the model, or an internal error if the symmetry was proved. Ends early when `stop` becomes true.
Status check_symmetry(const Model& model, const SymmetryCheck& check, const std::atomic<bool>& stop);

}  // namespace strata
