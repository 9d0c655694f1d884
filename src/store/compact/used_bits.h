// Which bits of some keys are ever set, as two runs of bits: keys that are made of numbers which grow, or of states most of
// which stays zero, are much shorter than the room that is kept for them. Other bits of a key are zero.
#pragma once

#include <bit>
#include <cstdint>

namespace strata {

// The lowest bits set; 64 of them at most.
constexpr uint64_t low_mask(unsigned bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

class UsedBits {
 public:
  // The lowest bits may be ignored: they are taken for zeros.
  explicit UsedBits(unsigned ignored = 0) : mask_(low_mask(ignored)), ignored_(ignored) {}

  unsigned bits() const { return low_bits_ + high_bits_; }
  bool cover(uint64_t key) const { return (key & ~mask_) == 0; }

  // The bits that a key may have, side by side; and the key that they are of.
  uint64_t gather(uint64_t key) const { return (key >> low_shift_ & low_) | (key >> high_shift_ & high_); }
  uint64_t scatter(uint64_t bits) const {
    return (bits & low_) << low_shift_ | (bits & high_) << high_shift_;
  }

  // With those of this key too.
  UsedBits and_of(uint64_t key) const {
    const uint64_t all = (mask_ | key) & ~low_mask(ignored_);
    if (all == 0) return *this;
    const auto first = static_cast<unsigned>(std::countr_zero(all));
    const auto end = static_cast<unsigned>(std::bit_width(all));
    // What lies between the runs is the longest row of zeros.
    unsigned gap = end, gap_end = end;
    for (unsigned at = first; at < end;) {
      const auto ones = static_cast<unsigned>(std::countr_one(all >> at));
      const unsigned zeros_at = at + ones;
      if (zeros_at >= end) break;
      const auto zeros = static_cast<unsigned>(std::countr_zero(all >> zeros_at));
      if (gap == end || zeros > gap_end - gap) gap = zeros_at, gap_end = zeros_at + zeros;
      at = zeros_at + zeros;
    }
    UsedBits result(ignored_);
    result.low_bits_ = gap - first;
    result.high_bits_ = end - gap_end;
    result.low_shift_ = first;
    result.high_shift_ = gap_end == end ? 0 : gap_end - result.low_bits_;
    result.low_ = low_mask(result.low_bits_);
    result.high_ = low_mask(result.bits()) & ~result.low_;
    result.mask_ |= result.scatter(low_mask(result.bits()));
    return result;
  }

 private:
  uint64_t mask_, low_ = 0, high_ = 0;
  unsigned ignored_;
  unsigned low_bits_ = 0, high_bits_ = 0;
  unsigned low_shift_ = 0, high_shift_ = 0;
};

}  // namespace strata
