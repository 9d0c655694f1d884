// Terminals.
#pragma once

#include <cstddef>
#include <cstdio>

namespace strata {

bool is_terminal(std::FILE* file);
// The width of the terminal; 80 if the file is not a terminal or does not say.
size_t terminal_columns(std::FILE* file);

}  // namespace strata
