// `strata trace FILE MODEL`: the steps of a trace, each with the other rules that were possible there.
#pragma once

#include <string>

#include "base/status.h"
#include "options/options.h"
#include "report/saved/saved_trace.h"

namespace strata {

// Loads the model that `options` name behind the trace, and follows the trace in it.
Result<std::string> trace_with_alternatives(const SavedTrace& trace, const Options& options);

}  // namespace strata
