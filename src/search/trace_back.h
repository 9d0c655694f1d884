// Paths from an initial state to the states where a breadth-first search failed, without parent pointers: a state of
// level k + 1 has a parent in level k, so expanding the levels once more, from the last one back to the first, meets a
// parent of every state asked for. This takes no memory a state, and at most the time that the search spent in expand; it is
// spent only when there is a failure to explain.
//
// Of several parents the one with the smallest bytes is taken, of several rules the first, of several start states the
// first: the path is the same in every run.
#pragma once

#include <vector>

#include "report/result.h"
#include "search/algorithm.h"
#include "search/findings.h"
#include "search/level_stack.h"
#include "search/worker_pool.h"
#include "store/state_table.h"

namespace strata {

// One counterexample for each finding, in the same order, replayed. Pops levels off the stack.
Result<std::vector<Counterexample>> trace_back(const SearchContext& context, const StateTable& table,
                                               LevelStack& levels, WorkerPool& pool,
                                               const Findings& findings);

}  // namespace strata
