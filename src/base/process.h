// Other programs: a compiler, a macro processor.
#pragma once

#include <string>
#include <vector>

namespace strata {

// The files of a program that is run; its own where a number is negative.
struct StandardFiles {
  int in = -1, out = -1, errors = -1;
};

// Runs a command, found as a shell finds it, and waits for it: its status as waitpid gives it, or -1 with errno.
int run_program(const std::vector<std::string>& command, const StandardFiles& files);

}  // namespace strata
