// What `strata --version` prints.
#pragma once

#include <string>

namespace strata {

// "strata 0.1.0", the commit where it is known, and what this build can do.
std::string version_text();

}  // namespace strata
