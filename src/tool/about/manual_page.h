// The manual pages, made of the tables: commands, options.def, algorithms.def.
#pragma once

#include <string>

#include "options/options.h"

namespace strata {

// strata(1), or with a command strata-COMMAND(1), in the format of man(7).
std::string manual_page(Command command);

}  // namespace strata
