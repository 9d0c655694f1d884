// `strata check MODEL`: search for errors; `strata resume DIR`: go on with it.
#pragma once

#include "tool/options/options.h"
#include "tool/system/ranks.h"

namespace strata {

// Both return the exit code.
int check_command(const Options& options, Ranks& ranks);
int resume_command(const Options& options, Ranks& ranks);

}  // namespace strata
