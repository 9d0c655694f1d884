// `strata info MODEL`: what a model consists of. Needs no compiler.
#pragma once

#include <string>

#include "ir/program.h"
#include "options/options.h"

namespace strata {

std::string info_text(const ir::Program& program);
std::string info_json(const ir::Program& program);

// Returns the exit code.
int info_command(Options options);

}  // namespace strata
