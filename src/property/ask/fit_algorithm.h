// Which algorithm can answer a question, and with which options. If an algorithm or option does not fit, the usage
// error says which would.
#pragma once

#include <optional>

#include "base/status.h"
#include "engine/contract/algorithm.h"
#include "property/ask/task.h"

namespace strata {

// The end of error messages about algorithms and their parameters.
inline constexpr const char* kTryAlgorithms = "\nTry 'strata algorithms'.";

// Whether the algorithm has the parameters given by --set and can store states as --store says.
Status check_algorithm(const Algorithm& algorithm, const SearchOptions& options);

// The algorithm for the task: for `auto`, the best one; any other must fit. `deadlock`: the user's choice, if any. If
// the model has a property process, a safety search makes the task one of safety, with a note.
Result<const Algorithm*> fit_algorithm(Task& task, const Algorithm& chosen, const SearchOptions& options,
                                       std::optional<DeadlockMode> deadlock);

}  // namespace strata
