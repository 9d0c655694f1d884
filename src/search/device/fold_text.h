// The text that folds states for a device, by their tree; device/kernels/folded.cuh says what it has.
#pragma once

#include <cstdint>
#include <string>

#include "model/state_tree.h"

namespace strata {

// `words`: 64-bit words of a state.
std::string fold_text(const StateTree& tree, uint64_t words);

}  // namespace strata
