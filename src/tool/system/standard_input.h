// A model that comes from standard input.
#pragma once

#include "base/status.h"
#include "options/options.h"

namespace strata {

// Reads the model from standard input if the options say so, and keeps the text, because a model is read several times.
Status read_standard_input(Options& options);

}  // namespace strata
