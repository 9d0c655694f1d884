// A model that comes from standard input.
#pragma once

#include "base/status.h"
#include "options/options.h"

namespace strata {

// Reads it, where the options say so. It can be read only once, and a model is needed several times.
Status read_standard_input(Options& options);

}  // namespace strata
