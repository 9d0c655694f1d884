// Whether a formula holds on an ultimately periodic word, by the definition of its operators. It shares
// nothing with the translation, so that what a search found with an automaton can be checked.
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/formula/formula.h"

namespace strata::ltl {

// The last letter is followed by letters[loop]; a letter has bit i for proposition i.
bool holds_on(Formula formula, const std::vector<uint64_t>& letters, uint64_t loop);

}  // namespace strata::ltl
