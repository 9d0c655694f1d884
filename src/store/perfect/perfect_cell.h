// A minimal perfect hash function of a few thousand keys in one piece of memory that fits into a block: the
// unit of which perfect_hash.h is made.
//
// Source. Hash and displace (Fox, Chen, Heath 1992; Belazzougui, Botelho, Dietzfelbinger 2009), with pilots
// of one byte and evictions as in PtrHash (Groot Koerkamp 2025): the keys fall into buckets of very different
// sizes; the largest bucket first, each is given a pilot, a number that sends its keys to slots that are
// still free. A bucket for which no pilot does that takes the slots of the buckets that cost least, which are
// placed again, the largest first. There are some more slots than keys, or the last pilots would be hard to
// find; keys in slots past the end are sent to those left free below it.
//
//   cell   = first:u64 count:u16 seed:u16 unused:u32 pilots:u8[shape.pilots] places:u16[shape.spare]
//
// The index of a key is `first` plus its slot, or plus places[slot - count] when the slot is count or more.
//
// A look-up reads the head, one pilot, and for one key in a hundred a place. A full cell has 13,800 keys in
// 4048 bytes: 2.35 bits a key.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/system/memory_map.h"
#include "store/key/counting_sort.h"

namespace strata {

struct CellShape {
  static constexpr uint64_t kHeadBytes = 16;
  static constexpr uint32_t kMostKeys = 13'800;  // whose cell fits into a block

  // A cell for about this many keys; a few more do no harm.
  static CellShape of_keys(uint32_t keys) {
    CellShape shape;
    shape.keys = keys;
    shape.spare = keys / 100 + 8;
    shape.pilots = static_cast<uint32_t>((uint64_t{keys} * 10 + 36) / 37) + 4;
    return shape;
  }
  uint64_t bytes() const { return round_up(kHeadBytes + pilots + 2 * uint64_t{spare}, 8); }
  // Beyond this many keys a cell is not built.
  uint64_t most() const { return keys + keys / 16 + 16; }

  uint32_t keys = 0, spare = 0, pilots = 0;
};

namespace perfect {

constexpr uint64_t kOdd = 0x9e3779b97f4a7c15ull, kOther = 0xd6e8feb86659fd93ull;

inline uint64_t mix(uint64_t hash, uint64_t seed) {
  uint64_t x = (hash + seed * kOther) * kOdd;
  x ^= x >> 32;
  return x * kOther;
}
// x^2 (1 + x) / 2 of the upper half, with a share of x: a third of the buckets gets most of the keys.
inline uint64_t bucket(uint64_t mixed, uint64_t buckets) {
  const uint64_t x = mixed >> 32, square = x * x >> 32;
  const uint64_t cube = (square >> 1) + (square * x >> 33);
  return (cube - (cube >> 8) + (x >> 8)) * buckets >> 32;
}
inline uint64_t slot(uint64_t mixed, uint64_t pilot, uint64_t slots) {
  const uint64_t x = (mixed ^ (pilot + 1) * kOther) * kOdd;
  return ((x ^ x << 17) >> 32) * slots >> 32;
}

}  // namespace perfect

struct CellHead {
  uint64_t first;
  uint16_t count, seed;
  uint32_t unused;
};

// The place of a key among those of its cell; anything for a key that is none of them.
inline uint64_t slot_in_cell(const uint8_t* cell, const CellShape& shape, uint64_t hash) {
  CellHead head;
  std::memcpy(&head, cell, sizeof(head));
  const uint64_t mixed = perfect::mix(hash, head.seed);
  const uint8_t pilot = cell[CellShape::kHeadBytes + perfect::bucket(mixed, shape.pilots)];
  const uint64_t slot = perfect::slot(mixed, pilot, head.count + uint64_t{shape.spare});
  if (slot < head.count) return slot;
  uint16_t place;
  std::memcpy(&place, cell + CellShape::kHeadBytes + shape.pilots + 2 * (slot - head.count), 2);
  return place;
}
inline uint64_t first_of_cell(const uint8_t* cell) {
  uint64_t first;
  std::memcpy(&first, cell, sizeof(first));
  return first;
}

// Builds cells, one after another. One for each thread.
class CellBuilder {
 public:
  explicit CellBuilder(const CellShape& shape) : shape_(shape) {}

  enum class Outcome { built, duplicate, failed };
  // `duplicate`: two hashes are equal, or there are more than shape.most(). `failed`: no seed serves.
  Outcome build(const uint64_t* hashes, uint64_t n, uint64_t first, uint8_t* cell);

  // Bytes of memory for cells of a shape.
  static uint64_t memory(const CellShape& shape) {
    return shape.most() * (8 + 2) + shape.spare * 2 + shape.pilots * 4 + 64;
  }

 private:
  static constexpr uint16_t kFree = 0xffff;

  bool sort_into_buckets(const uint64_t* hashes, uint64_t n, uint64_t seed);
  bool place_all(uint8_t* pilots);
  bool place(uint32_t bucket, uint8_t* pilots);
  bool find_pilot(uint32_t bucket, uint64_t begin_pilot, uint64_t& pilot, bool& evicts);
  void write_places(uint8_t* cell) const;
  bool is_bijective(const uint64_t* hashes, uint64_t n, const uint8_t* cell);
  uint32_t size_of(uint32_t bucket) const { return uint32_t{sort_.end(bucket)} - sort_.start(bucket); }

  const CellShape shape_;
  UntouchedVector<uint64_t> keys_;  // mixed
  CountingSort<uint16_t> sort_;     // of the keys, by bucket
  std::vector<uint16_t> order_;     // buckets, the largest first
  std::vector<uint16_t> owners_;    // of the slots; kFree: none
  std::vector<uint16_t> waiting_;   // buckets that were evicted
  std::array<uint16_t, 16>
      recent_{};  // buckets that took the slots of others a moment ago, and are left alone
  uint64_t slots_ = 0, evictions_ = 0;
};

}  // namespace strata
