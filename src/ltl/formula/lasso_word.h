// Whether a formula holds on an ultimately periodic word, by the definitions of its operators. This shares no code with
// the translation, so it can check what a search found with an automaton.
#pragma once

#include <cstdint>
#include <vector>

#include "ltl/formula/formula.h"

namespace strata::ltl {

// After the last letter the word continues with letters[loop]. Bit i of a letter is the value of proposition i.
bool holds_on(Formula formula, const std::vector<uint64_t>& letters, uint64_t loop);

}  // namespace strata::ltl
