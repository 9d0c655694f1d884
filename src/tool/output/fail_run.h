// The end of a run without a result.
#pragma once

#include "base/status.h"
#include "options/options.h"
#include "tool/output/output_file.h"

namespace strata {

// Prints the reason and returns the exit code. The files of --json and --report say that the run was interrupted, or
// are removed if there was another reason.
int fail_run(const Options& options, const Status& status, Outputs& outputs);

}  // namespace strata
