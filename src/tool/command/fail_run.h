// How a run ends that has no result.
#pragma once

#include "base/status.h"
#include "tool/options/options.h"
#include "tool/system/output_file.h"
#include "tool/system/signals.h"

namespace strata {

// Why the model was not loaded: after a signal that is the reason, whatever failed then.
Status loading_failed(const StopSignals& signals, const Status& status);

// Prints why and gives the exit code. The files of --json and --report say that the run was
// interrupted, or go if that was not the reason.
int fail_run(const Options& options, const Status& status, Outputs& outputs);

}  // namespace strata
