// `strata check` with several properties: one report after the other, then a line for each.
#pragma once

#include <vector>

#include "base/status.h"
#include "check/several_checks.h"
#include "tool/output/output_file.h"
#include "tool/system/console.h"

namespace strata {

// The exit code of the answer that decides about the run. `colour`: the text goes to a terminal with colours.
Result<int> check_properties(const Options& options, const CheckEnvironment& environment,
                             std::vector<Asking> askings, Outputs& outputs, Console& console);

}  // namespace strata
