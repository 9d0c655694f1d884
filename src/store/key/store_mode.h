// How visited states are kept (--store): exactly, by all their bytes, or by a signature of this many bits of their hash
// (hash compaction), in which case two states may be taken for one.
#pragma once

#include <cmath>
#include <cstdint>

namespace strata {

struct StoreMode {
  unsigned signature_bits = 0;  // 0: states, exactly; else 16 to 64

  bool exact() const { return signature_bits == 0; }

  // Murphi's bounds for hash compaction, from the number of states found. The probability that even one state was
  // omitted: any two of n states share a signature of b bits with probability 2^-b.
  double omission_probability(uint64_t states) const {
    if (exact() || states < 2) return 0;
    const double n = static_cast<double>(states);
    return -std::expm1(-n * (n - 1) / 2 * std::exp2(-static_cast<double>(signature_bits)));
  }
  // The probability that a state was missed which is reached by this many steps at least: one of the states on its
  // shortest path was taken for another one.
  double missed_error_probability(uint64_t states, uint64_t depth) const {
    if (exact()) return 0;
    const double n = static_cast<double>(states), steps = static_cast<double>(depth) + 1;
    return -std::expm1(-n * steps * std::exp2(-static_cast<double>(signature_bits)));
  }
};

}  // namespace strata
