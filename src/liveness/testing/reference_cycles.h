// The oracle of the tests of liveness searches: Tarjan's strongly connected components as a textbook writes
// them, one state at a time, no code shared with the searches it judges. Slow and easy to believe.
#pragma once

#include <cstdint>

#include "model/model.h"

namespace strata {

struct ReferenceCycles {
  bool accepting_cycle = false;  // a reachable one
  uint64_t states = 0, transitions = 0;
};

// Of a model whose rules do not fail.
ReferenceCycles reference_cycles(const Model& model);

}  // namespace strata
