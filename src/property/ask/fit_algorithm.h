// Which algorithm can answer a question, and with which options. What does not fit is a usage error that says
// what would.
#pragma once

#include <optional>

#include "base/status.h"
#include "engine/contract/algorithm.h"
#include "property/ask/task.h"

namespace strata {

// The end of messages about algorithms and their parameters.
inline constexpr const char* kTryAlgorithms = "\nTry 'strata algorithms'.";

// Whether the algorithm has the parameters of --set and can keep states as --store says.
Status check_algorithm(const Algorithm& algorithm, const SearchOptions& options);

// The algorithm for the task: `auto` stands for the best one; another one must fit. `deadlock` is what the
// user chose; none: nothing. A safety search of a model with a property process makes another task of it, and
// a note.
Result<const Algorithm*> fit_algorithm(Task& task, const Algorithm& chosen, const SearchOptions& options,
                                       std::optional<DeadlockMode> deadlock);

}  // namespace strata
