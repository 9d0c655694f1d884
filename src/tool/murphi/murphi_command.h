// `strata murphi`: CMurphi's options and words, for scripts that were written for it.
#pragma once

#include <string>
#include <vector>

namespace strata {

// `arguments` are those after the command's name. Returns the exit code.
int murphi_command(const std::vector<std::string>& arguments);

}  // namespace strata
