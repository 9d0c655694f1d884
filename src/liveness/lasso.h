// Counterexamples of searches that know the states of a path but not its rules: a lasso, or a path to a rule that fails.
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "model/model.h"
#include "report/result.h"

namespace strata {

// The states of a path from an initial state. With a loop, the last state leads back to states[loop]; otherwise the failure
// happens in the last state.
struct Path {
  std::vector<const uint8_t*> states;
  std::optional<uint64_t> loop;
  Failure failure;
};

// The path with its rules (of several, the first), replayed.
Result<Counterexample> explain(const Model& model, const Path& path);

// Ok when the first state is initial, every rule leads from its state to the next one, and the last one leads back into a
// loop with an accepting state, or fails as the counterexample says; otherwise StatusCode::internal and what did not fit.
Status replay_lasso(const Model& model, const Counterexample& counterexample);

}  // namespace strata
