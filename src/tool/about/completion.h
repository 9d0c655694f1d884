// Completions for shells, made of the tables: commands, options.def, algorithms.def.
#pragma once

#include <string>

#include "base/status.h"

namespace strata {

// A script for bash, zsh or fish; a usage error for another shell.
Result<std::string> completion(const std::string& shell);

}  // namespace strata
