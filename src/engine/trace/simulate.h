// Random walks through a model: a quick look at its behaviour, and a measure of how fast it fires rules. Each step
// expands the current state and moves to one of its successors, chosen by a seeded generator. At a dead end or at the
// depth limit, the walk restarts from an initial state. The same seed gives the same walk.
//
// Several threads walk with seeds that follow each other, each a part of the steps. Of several failures, the one that a
// thread met after the fewest steps is told, so which one it is depends on the seeds and the number of threads alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/trace/states_seen.h"
#include "model/model.h"
#include "report/result.h"

namespace strata {

struct SimulateOptions {
  uint64_t seed = 1;  // of the first thread
  unsigned threads = 1;
  uint64_t steps = 1'000'000;        // rules fired by the walks, over all restarts
  uint64_t depth = 10'000;           // a walk longer than this starts again
  std::optional<double> time_limit;  // seconds
  DeadlockMode deadlock = DeadlockMode::off;
  bool check_properties = true;
  bool counts = true;  // fills in `coverage` and `seen`
};

struct SimulateResult {
  uint64_t steps = 0;
  uint64_t walks = 0;        // started from an initial state
  uint64_t transitions = 0;  // rules fired to find the successors
  uint64_t deepest = 0;
  double seconds = 0;
  StopReason stop = StopReason::none;
  uint64_t seed = 0;            // of the walk that failed, or else of the first one
  uint64_t failed_after = 0;    // steps of the thread that failed
  std::vector<TraceStep> path;  // of the last walk with that seed
  std::optional<Counterexample> failure;
  Coverage coverage;  // by the states that were expanded
  StatesSeen seen;
};

// Ends at the first failure, when the steps are done, at the time limit, or when `stop` becomes true. The failure's
// path is replayed before it is returned.
Result<SimulateResult> simulate(const Model& model, const SimulateOptions& options,
                                const std::atomic<bool>& stop,
                                void (*put)(void* context, const char* text, uint64_t length) = nullptr,
                                void* put_context = nullptr);

}  // namespace strata
