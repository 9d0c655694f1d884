// `strata trace`: a trace that was saved in the ITF format, as text and as a page.
#pragma once

#include "options/options.h"

namespace strata {

int trace_command(const Options& options);

}  // namespace strata
