// The nodes of folded states: each distinct pair of numbers once, by a number of its own that never changes. Insert-only, shared by
// threads without a lock, within a MemoryBudget.
//
// Segments, each twice as large as the one before it, of buckets of eight pairs, a line of the cache. A pair belongs to one
// bucket of each segment, and is put into the first of these that has room. So it is looked for from the first
// segment on, and a place that is free says that it is in none. What is in a segment fills it almost completely before much goes
// into the next, and nothing ever moves.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/memory_budget.h"
#include "base/memory_map.h"
#include "base/status.h"

namespace strata {

class NodeTable {
 public:
  // A budget of its own; `limit` bytes at most.
  explicit NodeTable(uint64_t limit);

  // The number of a pair, which is added if need be: at least 1, and below 1 << number_bits(). 0: there is no room. The pair 0
  // has the number 0.
  uint32_t number(uint64_t pair) {
    if (pair == 0) return 0;
    const uint64_t hash = mixed(pair);
    for (unsigned k = 0; k < kSegments; ++k) {
      const Segment* segment = segments_[k].load(std::memory_order_acquire);
      if (segment == nullptr && (segment = add_segment(k)) == nullptr) break;
      if (const uint32_t found = in_bucket(*segment, hash, pair); found != 0) return found;
    }
    full_.store(true, std::memory_order_relaxed);
    return 0;
  }
  // Asks for the lines that number(pair) will read.
  void fetch(uint64_t pair) const {
    const uint64_t hash = mixed(pair);
    for (unsigned k = 0; k < kSegments; ++k) {
      const Segment* segment = segments_[k].load(std::memory_order_acquire);
      if (segment == nullptr) return;
      __builtin_prefetch(segment->pairs + segment->bucket(hash) * kWays);
    }
  }
  uint64_t pair(uint32_t number) const {
    return number == 0 ? 0 : place(number)->load(std::memory_order_relaxed);
  }
  // Asks for the line that pair(number) will read.
  void fetch_number(uint32_t number) const {
    if (number != 0) __builtin_prefetch(place(number));
  }

  unsigned number_bits() const { return number_bits_; }
  bool full() const { return full_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return budget_.used(); }
  uint64_t size() const;  // counts them

 private:
  static constexpr unsigned kSegments = 24;
  static constexpr uint64_t kWays = 8;

  using Pair = std::atomic<uint64_t>;
  struct Segment {
    MemoryMap memory;
    Pair* pairs = nullptr;
    uint64_t buckets = 0;
    uint32_t first = 0;  // number of its first place

    uint64_t bucket(uint64_t hash) const { return ((hash >> 32) * buckets) >> 32; }
  };

  static uint64_t mixed(uint64_t pair) {
    pair = (pair ^ (pair >> 32)) * 0x9e3779b97f4a7c15ull;
    return (pair ^ (pair >> 29)) * 0xbf58476d1ce4e5b9ull;
  }
  static uint32_t in_bucket(const Segment& segment, uint64_t hash, uint64_t pair) {
    Pair* place = segment.pairs + segment.bucket(hash) * kWays;
    for (uint64_t i = 0; i < kWays; ++i) {
      uint64_t there = place[i].load(std::memory_order_relaxed);
      if (there == 0 && place[i].compare_exchange_strong(there, pair, std::memory_order_relaxed))
        there = pair;
      if (there == pair) return segment.first + static_cast<uint32_t>(place + i - segment.pairs);
    }
    return 0;
  }
  const Pair* place(uint32_t number) const {
    const uint64_t at = number - 1 + first_pairs_;
    const auto k = static_cast<unsigned>(63 - __builtin_clzll(at >> first_bits_));
    return segments_[k].load(std::memory_order_relaxed)->pairs + (at - (first_pairs_ << k));
  }
  const Segment* add_segment(unsigned k);

  MemoryBudget budget_;
  unsigned first_bits_;  // pairs of the first segment
  uint64_t first_pairs_;
  unsigned number_bits_;
  std::atomic<bool> full_{false};
  std::array<std::atomic<const Segment*>, kSegments> segments_{};
  std::mutex mutex_;  // for adding a segment
  std::array<std::unique_ptr<Segment>, kSegments> owned_;
};

}  // namespace strata
