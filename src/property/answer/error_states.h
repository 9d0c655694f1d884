// Run-time errors that are states. In a DVE model a run-time error leads to an error state, which is counted
// as any other state and does not end the search. When a search ends without another error but reached one of
// them, a second search, in which error states are failures, finds the shortest way to one.
#pragma once

#include "base/status.h"
#include "engine/contract/algorithm.h"
#include "property/answer/runner.h"
#include "property/ask/question.h"

namespace strata {

// Adds to the result of a search of a model that reached an error state the way to it; the counts stay those
// of the search.
Status add_error_state(const ModelLoader& load, const Runner& run, const Algorithm& algorithm,
                       const SearchContext& context, SearchResult& result);

// Tells what went wrong in the step that leads to an error state, instead of that it did.
void explain_error_state(const Model& model, Counterexample& counterexample);

}  // namespace strata
