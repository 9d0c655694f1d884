// Counterexamples of searches that know the states of a path but not its rules: a lasso, or a path to a rule
// that fails.
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "model/model.h"
#include "report/result.h"

namespace strata {

// The states of a path from an initial state. With a loop, the last state leads back to states[loop];
// otherwise the failure happens in the last state.
struct Path {
  std::vector<const uint8_t*> states;
  std::optional<uint64_t> loop;
  Failure failure;
};

constexpr const char* kCycleMessage = "A cycle with an accepting state was found.";

// About the memory of a path of this many states, as plain states and explained.
constexpr uint64_t path_bytes(uint64_t states, uint64_t state_bytes) {
  return states * (2 * state_bytes + 80);
}

// A path may exceed the memory by this much: less than the 8 MiB that any run may.
constexpr uint64_t kPathSlack = 3 << 20;

// Lists all transitions, and checks nothing.
inline void all_transitions(Expansion& out) {
  out.emit_self_loops = true;
  out.check_properties = false;
  out.deadlock = DeadlockMode::off;
}

// Adds the path to a result, with its rules (of several, the first) and replayed.
Status show(const Model& model, const Path& path, SearchResult& result);

// Ok when the first state is initial, every rule leads from its state to the next one, and the last one leads
// back into a loop with an accepting state, or fails as the counterexample says; otherwise
// StatusCode::internal and what did not fit.
Status replay_lasso(const Model& model, const Counterexample& counterexample);

}  // namespace strata
