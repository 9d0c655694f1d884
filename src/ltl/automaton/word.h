// Ultimately periodic words, for tests: a prefix and a loop. Bit i of a letter is the value of proposition i.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "ltl/automaton/automaton.h"

namespace strata::ltl {

struct Word {
  std::vector<uint64_t> letters;
  uint32_t loop = 0;  // the last letter is followed by letters[loop]

  uint32_t after(uint32_t position) const { return position + 1 < letters.size() ? position + 1 : loop; }
};

Word random_word(Random& random, uint32_t propositions);

bool accepts(const Automaton& automaton, const Word& word);

}  // namespace strata::ltl
