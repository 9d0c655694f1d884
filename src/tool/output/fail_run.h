// How a run ends that has no result.
#pragma once

#include "base/status.h"
#include "options/options.h"
#include "tool/system/output_file.h"

namespace strata {

// Prints why and gives the exit code. The files of --json and --report say that the run was
// interrupted, or go if that was not the reason.
int fail_run(const Options& options, const Status& status, Outputs& outputs);

}  // namespace strata
