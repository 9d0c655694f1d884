// `strata step MODEL`: walks through a model by hand.
#pragma once

#include "options/options.h"

namespace strata {

int step_command(const Options& options);

}  // namespace strata
