// `strata cache`: the folder of compiled models.
#pragma once

#include "options/options.h"

namespace strata {

// Returns the exit code.
int cache_command(const Options& options);

}  // namespace strata
