// `strata ltl FORMULA`: the Büchi automaton of a formula.
#pragma once

#include <string>

#include "base/status.h"
#include "options/options.h"

namespace strata {

// The automaton as text.
Result<std::string> ltl_text(const std::string& formula, AutomatonFormat format);

// Returns the exit code.
int ltl_command(const Options& options);

}  // namespace strata
