// Records that are added in any order and taken in the order of a key: Dial's buckets in files, as Edelkamp
// and Sulewski (2008) use them, but with one file for all keys, sorted. Few records stay in RAM, and the disk
// is not touched.
//
// RAM: `memory` bytes for the records; when these are not enough, as much again for an external sort.
//
// Invariants
//  1. At most `capacity` records are in memory; those taken are at most those there.
//  2. After sort(), records that are all in memory are taken in rising order of their bytes, the key first.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/memory_budget.h"
#include "base/system/memory_map.h"
#include "block/record/sorter.h"

namespace strata {

class KeyedQueue {
 public:
  KeyedQueue(Storage& storage, std::string name, uint64_t record_bytes, uint64_t memory,
             MemoryBudget& budget);
  ~KeyedQueue();
  KeyedQueue(const KeyedQueue&) = delete;
  KeyedQueue& operator=(const KeyedQueue&) = delete;

  Status open() const;
  // The bytes it draws from the budget beyond `memory` when it sorts on disk.
  uint64_t sort_bytes() const { return sort_bytes(bytes_ - kKeyBytes, memory_); }
  static uint64_t sort_bytes(uint64_t record_bytes, uint64_t memory);
  Status add(uint32_t key, const uint8_t* record);
  // Then peek() and pop() go through the records, the smallest key first. REQUIRES: nothing is added until clear().
  Status sort();
  // The first record left, with its key; null: no record is left.
  const uint8_t* peek(uint32_t& key) const;
  // REQUIRES: a record is left.
  Status pop();
  void clear();

  std::string check_invariants() const;

 private:
  template <class>
  friend struct InvariantPeer;
  static constexpr uint64_t kKeyBytes = 4;  // most significant first, so that bytes compare as numbers do

  const uint8_t* at(uint64_t i) const { return records_.data() + i * bytes_; }
  Status spill();
  Status read_on();

  Storage& storage_;
  const std::string name_;
  const uint64_t bytes_, memory_;
  MemoryBudget& budget_;
  const bool charged_;
  UntouchedVector<uint8_t> records_;
  UntouchedVector<uint32_t> order_;
  uint64_t capacity_ = 0, count_ = 0, next_ = 0;
  std::unique_ptr<Sorter> sorter_;  // when there are more
  std::unique_ptr<RecordFile> sorted_;
  std::unique_ptr<RecordReader> reader_;
  RecordReader::Span span_;
};

}  // namespace strata
