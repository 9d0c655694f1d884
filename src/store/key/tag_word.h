// The tags of a bucket's keys, compared all at once in a word. A bucket begins with one byte for each of its
// keys, seven at most: some bits of the key's hash. Values below the first one of tag() are the bucket's own,
// for places without a key.
#pragma once

#include <bit>
#include <cstdint>

namespace strata {

class TagWord {
 public:
  static constexpr uint64_t kMostTags = 7;

  // REQUIRES: the bucket is at a multiple of eight bytes. Thread safety: other threads may change its tags.
  explicit TagWord(const uint8_t* bucket)
      : tags_(__atomic_load_n(reinterpret_cast<const uint64_t*>(bucket), __ATOMIC_RELAXED)) {}

  // The high bits of the tags of a bucket with this many keys.
  static constexpr uint64_t high_bits(uint64_t keys) { return 0x8080808080808080 >> (64 - 8 * keys); }
  // The places whose tags equal this one, as high bits. Exact, unlike the usual trick: a place that is wrongly called
  // equal might still hold an old key.
  uint64_t equal(uint8_t tag, uint64_t high_bits) const {
    constexpr uint64_t kOnes = 0x0101010101010101, kLow = 0x7f7f7f7f7f7f7f7f;
    const uint64_t difference = tags_ ^ kOnes * tag;
    return ~(((difference & kLow) + kLow) | difference) & high_bits;
  }
  static uint64_t place(uint64_t equal) { return static_cast<uint64_t>(std::countr_zero(equal)) / 8; }

 private:
  uint64_t tags_;
};

}  // namespace strata
