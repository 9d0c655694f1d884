// Run-time errors that are states. In a DVE model, a run-time error leads to an error state, which counts like any
// other state and does not end the search. If a search finds no other error but reached an error state, a second
// search, in which error states are failures, finds a shortest path to one.
#pragma once

#include <string>

#include "base/status.h"
#include "engine/contract/algorithm.h"
#include "property/answer/runner.h"
#include "property/ask/question.h"

namespace strata {

// Adds the path to an error state to the result of a search that reached one. The counts stay those of the first
// search. If the second search ends before it has found a path, the error is reported without one.
Status add_error_state(const ModelLoader& load, const Runner& run, const Algorithm& algorithm,
                       const SearchContext& context, SearchResult& result);

// Reports the run-time error without a path; `why` says why there is none.
void add_error_without_path(const std::string& why, SearchResult& result);

// Replaces "an error state was reached" by what went wrong in the step before.
void explain_error_state(const Model& model, Counterexample& counterexample);

}  // namespace strata
