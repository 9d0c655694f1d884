// `strata check MODEL`: search for errors.
#pragma once

#include "tool/options/options.h"

namespace strata {

// Returns the exit code.
int check_command(const Options& options);

}  // namespace strata
