// How often transitions change each bit of a state, from a sample, and which bit divides a partition best: into parts of
// similar size between which few transitions lead.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "store/key/partition_tree.h"

namespace strata {

class BitStatistics {
 public:
  explicit BitStatistics(uint64_t state_bytes) : state_bytes_(state_bytes), changes_(8 * state_bytes) {}

  void note_transition(const uint8_t* from, const uint8_t* to) {
    ++transitions_;
    for (uint64_t i = 0; i < state_bytes_; ++i) {
      for (unsigned changed = from[i] ^ to[i]; changed != 0; changed &= changed - 1)
        ++changes_[8 * i + static_cast<unsigned>(std::countr_zero(changed))];
    }
  }
  void merge(BitStatistics& other) {
    transitions_ += other.transitions_;
    for (uint64_t i = 0; i < changes_.size(); ++i) changes_[i] += other.changes_[i];
    other.changes_.assign(changes_.size(), 0);
    other.transitions_ = 0;
  }

  // The best bit for a partition of which these are states; none when no bit divides it into parts of a tenth at least.
  std::optional<BitTest> choose(const uint8_t* states, uint64_t n) const {
    std::vector<uint64_t> ones(changes_.size());
    for (uint64_t s = 0; s < n; ++s) {
      for (uint64_t i = 0; i < state_bytes_; ++i) {
        for (unsigned set = states[s * state_bytes_ + i]; set != 0; set &= set - 1)
          ++ones[8 * i + static_cast<unsigned>(std::countr_zero(set))];
      }
    }
    std::optional<BitTest> best;
    if (n == 0) return best;
    double best_score = 0;
    for (uint32_t bit = 0; bit < ones.size(); ++bit) {
      const double smaller = static_cast<double>(std::min(ones[bit], n - ones[bit])) / static_cast<double>(n);
      if (smaller < 0.1) continue;
      const double changed = static_cast<double>(changes_[bit] + 1) / static_cast<double>(transitions_ + 1);
      const double score = smaller / (changed + 0.005);
      if (best && score <= best_score) continue;
      best = BitTest{false, bit};
      best_score = score;
    }
    return best;
  }

 private:
  const uint64_t state_bytes_;
  uint64_t transitions_ = 0;
  std::vector<uint64_t> changes_;
};

}  // namespace strata
