// `strata suite FILE` and `strata check` with several models: runs one after another, and what they amount to.
#pragma once

#include "options/options.h"

namespace strata {

// Each returns the exit code. That of a suite: 0 when every run was as expected, else 1.
int suite_command(const Options& options);
// That of several models: the one of the first that does not hold, or 0.
int check_models_command(const Options& options);

}  // namespace strata
