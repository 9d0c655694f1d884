// The bits that are set in any of some keys, as a few runs of bits; all other bits of the keys are zero. Keys made of
// numbers that grow, or of states that are mostly zero, are much shorter than their width.
#pragma once

#include <bit>
#include <cstdint>

namespace strata {

// The lowest bits set; 64 of them at most.
constexpr uint64_t low_mask(unsigned bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

class UsedBits {
 public:
  // The lowest `ignored` bits are taken for zeros.
  explicit UsedBits(unsigned ignored = 0) : mask_(low_mask(ignored)), ignored_(ignored) {}

  unsigned bits() const { return bits_; }
  bool cover(uint64_t key) const { return (key & ~mask_) == 0; }

  // gather(): the used bits of a key, side by side. scatter(): the key that has them.
  uint64_t gather(uint64_t key) const {
    uint64_t result = key >> runs_[0].shift & runs_[0].mask;
    for (unsigned i = 1; i < count_; ++i) result |= key >> runs_[i].shift & runs_[i].mask;
    return result;
  }
  uint64_t scatter(uint64_t bits) const {
    uint64_t result = 0;
    for (unsigned i = 0; i < count_; ++i) result |= (bits & runs_[i].mask) << runs_[i].shift;
    return result;
  }

  // The same with the bits of this key too.
  UsedBits and_of(uint64_t key) const {
    UsedBits result(ignored_);
    uint64_t all = (mask_ | key) & ~low_mask(ignored_);
    fill_gaps(all);
    while (all != 0) {
      const auto begin = static_cast<unsigned>(std::countr_zero(all));
      const auto bits = static_cast<unsigned>(std::countr_one(all >> begin));
      const uint64_t run = low_mask(bits);
      result.runs_[result.count_++] = {run << result.bits_, begin - result.bits_};
      result.bits_ += bits;
      result.mask_ |= run << begin;
      all &= ~(run << begin);
    }
    return result;
  }

 private:
  static constexpr unsigned kMostRuns = 6;
  struct Run {
    uint64_t mask = 0;   // of the bits side by side
    unsigned shift = 0;  // by which they are lower there
  };

  // Sets the bits between runs, those of the shortest gap first, until there are few enough.
  static void fill_gaps(uint64_t& all) {
    while (static_cast<unsigned>(std::popcount(all & ~(all << 1))) > kMostRuns) {
      uint64_t shortest = 0;
      unsigned shortest_bits = 64;
      for (unsigned at = static_cast<unsigned>(std::countr_zero(all)); at < 64;) {
        const unsigned gap = at + static_cast<unsigned>(std::countr_one(all >> at));
        if (gap >= 64 || all >> gap == 0) break;
        const auto bits = static_cast<unsigned>(std::countr_zero(all >> gap));
        if (bits < shortest_bits) shortest = low_mask(bits) << gap, shortest_bits = bits;
        at = gap + bits;
      }
      all |= shortest;
    }
  }

  uint64_t mask_;
  unsigned ignored_, bits_ = 0, count_ = 0;
  Run runs_[kMostRuns];
};

}  // namespace strata
