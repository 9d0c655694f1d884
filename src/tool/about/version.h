// What `strata --version` prints.
#pragma once

#include <string>

namespace strata {

// "strata 0.1.0", the commit where it is known, what this build can do, and the GPUs
// of this machine.
std::string version_text();

}  // namespace strata
