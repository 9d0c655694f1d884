// How states are folded to keys of 8 bytes: a tree of pairs over their words of 32 bits.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

// Parts are numbered: first the words of 32 bits of a state, in order, then the pairs, each after its two parts. The
// last pair is the root, and every other part is in one pair.
struct StateTree {
  struct Pair {
    uint32_t left = 0, right = 0;
  };

  uint32_t words = 0;       // of 32 bits
  std::vector<Pair> pairs;  // none: states are not folded

  bool folds() const { return !pairs.empty(); }
};

}  // namespace strata
