// `strata simulate MODEL`: a seeded random walk.
#pragma once

#include "tool/options/options.h"

namespace strata {

// Returns the exit code.
int simulate_command(Options options);

}  // namespace strata
