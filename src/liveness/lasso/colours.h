// Colours of states in a nested depth-first search in RAM: bits for each place of a StateTable, which grow with it.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/system/growing_array.h"

namespace strata {

// Some bits, 2 or 4, for one thread.
template <unsigned kBits>
class ColourArray {
 public:
  explicit ColourArray(MemoryBudget& budget) : bytes_(budget) {}

  Status open() { return bytes_.open(); }
  // Room for the places below this number.
  bool extend(uint64_t places) { return bytes_.extend(places / kPlaces + 1); }
  void fetch(uint64_t place) const { __builtin_prefetch(&bytes_[place / kPlaces], 1); }
  unsigned get(uint64_t place) const { return bytes_[place / kPlaces] >> shift(place) & kMask; }
  void set(uint64_t place, unsigned colour) {
    uint8_t& byte = bytes_[place / kPlaces];
    byte = static_cast<uint8_t>((byte & ~(kMask << shift(place))) | colour << shift(place));
  }

 private:
  static constexpr unsigned kPlaces = 8 / kBits, kMask = (1 << kBits) - 1;
  static unsigned shift(uint64_t place) { return place % kPlaces * kBits; }

  GrowingArray<uint8_t> bytes_;
};

// Four marks, for all threads; a mark that is set stays.
//
// New states have neighbouring places, one in each shard after another, and all threads mark them. A line has places of
// one shard only, so that threads do not pull the same lines of memory to and fro.
class SharedMarks {
 public:
  explicit SharedMarks(MemoryBudget& budget) : bytes_(budget) {}

  // For a table of 2^shard_bits shards.
  Status open(unsigned shard_bits) {
    shard_bits_ = shard_bits;
    return bytes_.open();
  }
  bool extend(uint64_t places) { return bytes_.extend(((places >> group_bits()) + 1) << (group_bits() - 1)); }
  void fetch(uint64_t place) { __builtin_prefetch(&bytes_[turned(place) / 2]); }
  unsigned get(uint64_t place) {
    const uint64_t at = turned(place);
    return std::atomic_ref(bytes_[at / 2]).load(std::memory_order_acquire) >> shift(at) & 15u;
  }
  // The marks that it had before.
  unsigned set(uint64_t place, unsigned marks) {
    const uint64_t at = turned(place);
    const auto bits = static_cast<uint8_t>(marks << shift(at));
    return std::atomic_ref(bytes_[at / 2]).fetch_or(bits, std::memory_order_acq_rel) >> shift(at) & 15u;
  }

 private:
  static constexpr unsigned kLineBits = 7;  // places in a line

  unsigned group_bits() const { return shard_bits_ + kLineBits; }
  // Within a group of lines, one for each shard: first the shard, then the number in it.
  uint64_t turned(uint64_t place) const {
    const uint64_t group = place >> group_bits() << group_bits();
    const uint64_t shard = place & ((uint64_t{1} << shard_bits_) - 1);
    const uint64_t number = place >> shard_bits_ & ((uint64_t{1} << kLineBits) - 1);
    return group | shard << kLineBits | number;
  }
  static unsigned shift(uint64_t at) { return at % 2 * 4; }

  GrowingArray<uint8_t> bytes_;
  unsigned shard_bits_ = 0;
};

}  // namespace strata
