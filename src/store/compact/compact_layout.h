// The place of a key in a shard of a CompactTable, and the bits of the key that are not stored because they follow from
// the place (Cleary, "Compact hash tables using bidirectional linear probing", 1984).
//
// An invertible function mixes the used bits of a key. Of the K bits of the result, m + 2 to m + 3 say the home bucket
// (there are 4, 5, 6 or 7 times 2^m buckets), and K - m - 2 are left: the rest. A key whose home bucket is full goes to
// the neighbour bucket, the next or the previous line of memory; or to a bucket at a distance from home that follows
// from the rest, or at twice, three times that distance. The slot stores which of these it is: its probe, 1 to 31. So
// bucket, probe and rest are the key.
//
// A slot of four bytes or more has, from its lowest bit: the level at which the key was found, its probe (0:
// the slot is empty), its rest.
#pragma once

#include <algorithm>
#include <cstdint>

#include "store/compact/used_bits.h"

namespace strata {

// The inverse of an odd number modulo 2^64, by Newton's method: each round doubles the bits that are right.
constexpr uint64_t odd_inverse(uint64_t odd) {
  uint64_t x = odd;
  for (int round = 0; round < 6; ++round) x *= 2 - odd * x;
  return x;
}

class CompactLayout {
 public:
  static constexpr unsigned kProbeBits = 5, kProbes = (1 << kProbeBits) - 1;
  // Of the numbers of buckets: 64, 80, 96, 112, 128, 160, ...
  static constexpr unsigned kLastStep = 4 * 24;
  static constexpr unsigned kLeastLevelBits = 6, kMostLevelBits = 32 - kProbeBits;

  CompactLayout() = default;
  // With the number of buckets of this step, and levels of at least this many bits.
  CompactLayout(const UsedBits& used, unsigned step, unsigned level_bits);

  const UsedBits& used() const { return used_; }
  unsigned step() const { return step_; }
  unsigned key_bits() const { return key_bits_; }
  uint64_t buckets() const { return uint64_t{scale_} << log2_; }
  unsigned slots() const { return slots_; }            // of a bucket
  unsigned first_slot() const { return 16 - slots_; }  // of its 16 words
  unsigned level_bits() const { return level_bits_; }

  struct Place {
    uint64_t bucket, rest;
  };
  // Where a mixed key belongs.
  Place home(uint64_t mixed) const {
    const uint64_t which = (mixed >> low_bits_ & 0xffff) * scale_ >> 16;
    return {which << log2_ | mixed >> tail_bits_, (mixed & low_mask(tail_bits_)) - begins_[which]};
  }
  // The mixed key of a slot is this plus its rest.
  uint64_t mixed_base(uint64_t home_bucket) const {
    return (home_bucket & low_mask(log2_)) << tail_bits_ | begins_[home_bucket >> log2_];
  }
  uint64_t mix(uint64_t key) const {
    uint64_t x = used_.gather(key) * kFirst & key_mask_;
    x = (x ^ x >> half_) * kSecond & key_mask_;
    return x ^ x >> half_;
  }
  uint64_t unmix(uint64_t mixed) const {
    uint64_t x = (mixed ^ mixed >> half_) * kSecondBack & key_mask_;
    x = (x ^ x >> half_) * kFirstBack & key_mask_;
    return used_.scatter(x);
  }

  // The bucket of a probe after the first, and back.
  uint64_t bucket(const Place& home, unsigned probe) const {
    if (probe == 2) return home.bucket ^ 1;
    const uint64_t at = home.bucket + (probe - 2) * distance(home.rest);
    return at < buckets() ? at : probe == 3 ? at - buckets() : at % buckets();
  }
  uint64_t home_bucket(uint64_t bucket, unsigned probe, uint64_t rest) const {
    if (probe <= 2) return bucket ^ (probe - 1);
    const uint64_t far = (probe - 2) * distance(rest) % buckets();
    return bucket >= far ? bucket - far : bucket + buckets() - far;
  }

  // A slot in two parts: a word of four bytes, and extra_bytes() for the bits that do not fit into it.
  uint32_t word(uint64_t rest, unsigned probe) const {
    return static_cast<uint32_t>(rest << (level_bits_ + kProbeBits)) | probe << level_bits_;
  }
  uint64_t extra(uint64_t rest) const { return rest >> (32 - kProbeBits - level_bits_); }
  unsigned extra_bytes() const { return extra_bytes_; }
  uint64_t extra_mask() const { return low_mask(8 * extra_bytes_); }
  uint64_t rest(uint32_t word, uint64_t extra) const {
    return (word >> level_bits_) >> kProbeBits | extra << (32 - kProbeBits - level_bits_);
  }
  unsigned probe(uint32_t word) const { return word >> level_bits_ & kProbes; }
  uint64_t level(uint32_t word) const { return word & low_mask(level_bits_); }

 private:
  static constexpr unsigned kLeastLog2 = 4;
  static constexpr uint64_t kFirst = 0x9e3779b97f4a7c15u, kSecond = 0xd1342543de82ef95u;
  static constexpr uint64_t kFirstBack = odd_inverse(kFirst), kSecondBack = odd_inverse(kSecond);
  // Less than the number of buckets, so that it leads to another bucket; and odd, so that it has many multiples.
  uint64_t distance(uint64_t rest) const {
    const uint64_t hash = (rest * kFirst) >> 32;
    return (hash * (buckets() / 2) >> 32) * 2 + 1;
  }

  UsedBits used_;
  uint64_t key_mask_ = 0;
  unsigned key_bits_ = 0, half_ = 1, tail_bits_ = 0, low_bits_ = 0;
  unsigned log2_ = kLeastLog2, scale_ = 4, step_ = 0;
  unsigned level_bits_ = 0, slots_ = 16, extra_bytes_ = 0;
  uint64_t begins_[8] = {};  // what is before the rests of a bucket
};

inline CompactLayout::CompactLayout(const UsedBits& used, unsigned step, unsigned level_bits)
    : used_(used), log2_(kLeastLog2 + step / 4), scale_(4 + step % 4), step_(step) {
  key_bits_ = std::max(used.bits(), log2_ + 16);
  key_mask_ = low_mask(key_bits_);
  half_ = (key_bits_ + 1) / 2;
  tail_bits_ = key_bits_ - log2_;
  low_bits_ = tail_bits_ - 16;
  for (unsigned i = 0; i < scale_; ++i) begins_[i] = uint64_t{(i * 65536 + scale_ - 1) / scale_} << low_bits_;
  // A part is at most a fourth of 2^16.
  const unsigned rest_bits = 14 + low_bits_;
  const unsigned bytes =
      std::max(4u, (rest_bits + kProbeBits + std::max(level_bits, kLeastLevelBits) + 7) / 8);
  slots_ = 64 / bytes;
  extra_bytes_ = bytes - 4;
  // The bits that are left of the slot are for levels.
  level_bits_ = std::min(8 * bytes - rest_bits - kProbeBits, kMostLevelBits);
}

}  // namespace strata
