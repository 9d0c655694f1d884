// Which bits of states divide them well: into parts of similar size with few transitions between them. Samples tell how
// often a bit is set, and how often transitions change it. In long states only some of the bytes are counted, so that
// the counts of a thread take 64 KiB at most.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "store/key/partition_tree.h"

namespace strata {

// Counts how many of some states have each bit set. The bits that are counted are numbered in the order of the state.
class BitCounts {
 public:
  static constexpr uint64_t kMostBytes = 2048;

  // An odd distance meets all members of a record whose size is a power of two.
  explicit BitCounts(uint64_t state_bytes)
      : stride_(state_bytes <= kMostBytes ? 1 : (state_bytes / kMostBytes + 1) | 1),
        counts_(8 * ((state_bytes + stride_ - 1) / stride_)) {}

  void add(const uint8_t* state) {
    ++states_;
    for (uint64_t i = 0; i < counts_.size() / 8; ++i) add_byte(i, state[i * stride_]);
  }
  // The bits in which two states differ.
  void add_difference(const uint8_t* a, const uint8_t* b) {
    ++states_;
    for (uint64_t i = 0; i < counts_.size() / 8; ++i) add_byte(i, a[i * stride_] ^ b[i * stride_]);
  }
  // Takes the counts of another one.
  void merge(BitCounts& other) {
    states_ += other.states_;
    for (uint64_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    other.counts_.assign(counts_.size(), 0);
    other.states_ = 0;
  }

  uint32_t bits() const { return static_cast<uint32_t>(counts_.size()); }
  uint64_t states() const { return states_; }
  uint64_t operator[](uint32_t bit) const { return counts_[bit]; }
  // The number of a counted bit in the state.
  uint32_t place(uint32_t bit) const { return static_cast<uint32_t>(bit / 8 * stride_ * 8 + bit % 8); }
  // The share of the smaller part when the bit divides the states.
  double smaller_part(uint32_t bit) const {
    if (states_ == 0) return 0;
    const uint64_t ones = counts_[bit];
    return static_cast<double>(std::min(ones, states_ - ones)) / static_cast<double>(states_);
  }

 private:
  void add_byte(uint64_t place, unsigned byte) {
    for (; byte != 0; byte &= byte - 1) ++counts_[8 * place + static_cast<unsigned>(std::countr_zero(byte))];
  }

  const uint64_t stride_;  // every so many bytes one is counted
  uint64_t states_ = 0;
  std::vector<uint32_t> counts_;  // samples are far fewer
};

class BitStatistics {
 public:
  explicit BitStatistics(uint64_t state_bytes) : changes_(state_bytes) {}

  void note_transition(const uint8_t* from, const uint8_t* to) { changes_.add_difference(from, to); }
  void merge(BitStatistics& other) { changes_.merge(other.changes_); }

  // The best bit for a partition whose states were counted; none when no bit divides it into parts of a tenth at least.
  std::optional<BitTest> choose(const BitCounts& ones) const {
    std::optional<BitTest> best;
    double best_score = 0;
    for (uint32_t bit = 0; bit < ones.bits(); ++bit) {
      const double smaller = ones.smaller_part(bit);
      if (smaller < 0.1) continue;
      const double changed =
          static_cast<double>(changes_[bit] + 1) / static_cast<double>(changes_.states() + 1);
      const double score = smaller / (changed + 0.005);
      if (best && score <= best_score) continue;
      best = BitTest{false, ones.place(bit)};
      best_score = score;
    }
    return best;
  }

  // All bits that divide the states counted into parts of a fiftieth at least and that a quarter of the
  // transitions at most changes, those that change least first.
  std::vector<uint32_t> stable_bits(const BitCounts& ones) const {
    std::vector<uint32_t> bits;
    for (uint32_t bit = 0; bit < ones.bits(); ++bit)
      if (ones.smaller_part(bit) >= 0.02 && changes_[bit] * 4 <= changes_.states()) bits.push_back(bit);
    std::ranges::stable_sort(bits, [&](uint32_t a, uint32_t b) { return changes_[a] < changes_[b]; });
    for (uint32_t& bit : bits) bit = ones.place(bit);
    return bits;
  }

 private:
  BitCounts changes_;  // of transitions
};

}  // namespace strata
