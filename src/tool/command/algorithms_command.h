// `strata algorithms`: the table of searches, from search/algorithms.def.
#pragma once

#include <string>
#include <vector>

#include "options/options.h"
#include "search/algorithms.h"

namespace strata {

// `all`: also the parameters for experiments, which the JSON object marks.
std::string algorithms_text(const std::vector<Algorithm>& rows, bool all);
std::string algorithms_json(const std::vector<Algorithm>& rows);

// Returns the exit code.
int algorithms_command(const Options& options);

}  // namespace strata
