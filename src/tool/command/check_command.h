// `strata check MODEL`: search for errors.
#pragma once

#include "tool/options/options.h"

namespace strata {

// Returns the exit code.
int check_command(Options options);

}  // namespace strata
