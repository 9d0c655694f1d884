// Paths from an initial state to the states where a search failed, without parent pointers. A search found its states
// in epochs (breadth-first search: its levels) such that each state has a parent in an earlier epoch, or is initial. So
// expanding the epochs once more, from the last one back to the first, meets a parent of every wanted state. This takes
// no memory for each state, and at most the time that the search spent in expand; only a failure to explain costs it.
//
// Of several parents the one with the smallest bytes is taken, of several rules the first, of several start states the
// first: the path is the same in every run.
#pragma once

#include <functional>
#include <vector>

#include "base/worker_pool.h"
#include "engine/contract/search_context.h"
#include "engine/trace/findings.h"
#include "report/result.h"

namespace strata {

// The epochs of a search, with their states.
class History {
 public:
  virtual ~History() = default;
  // Calls visit(thread, states, count) for all states of an epoch, on all threads; they need not be asked for
  // again. Epochs are asked for from the last to the first, each once at most.
  using Visit = std::function<void(unsigned thread, const uint8_t* states, uint64_t count)>;
  virtual Status visit(uint64_t epoch, const Visit& visit) = 0;
  // The same for all states of the epoch that lead to one of the targets in one step, and any others. Who knows
  // nothing of predecessors visits all states.
  using Targets = std::vector<const std::vector<uint8_t>*>;
  virtual Status visit_predecessors(uint64_t epoch, const Targets& /*targets*/, const Visit& visit_state) {
    return visit(epoch, visit_state);
  }
};

struct Traced {
  std::vector<Counterexample> counterexamples;
  // How many of them have no path because the memory was too small, and how much their paths take at most.
  uint64_t too_long = 0, needed = 0;
};

// One counterexample for each finding, in the same order, replayed; the level of a finding is its epoch.
// Without a history they have no paths. The paths take this much memory at most. With other ranks all of them
// look for the parents, and the states of findings and paths are whole ones.
Result<Traced> trace_back(const SearchContext& search, History* history, WorkerPool& pool,
                          const Findings& findings, uint64_t memory);

}  // namespace strata
