// The nodes of folded states: each distinct list of kValues values once, by a number of its own that never changes. Insert-only, shared
// by threads without a lock where it is only read, within a MemoryBudget.
//
// Segments, each twice as large as the one before it, of buckets that are two lines of the cache. A node belongs to one bucket of each
// segment, and is put into the first of these that has room. So it is looked for from the first segment on, and a place
// that is free says that it is in none. A segment fills almost completely before much goes into the next, and
// nothing ever moves.
//
// A bucket has 16 nodes of two values; the node of zeros, which has the number 0, stands for a free place. Or 7 of four values,
// behind a word that counts them: who adds one holds its highest bit meanwhile.
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

template <unsigned kValues>
class NodeTable {
  static_assert(kValues == 2 || kValues == 4);

 public:
  using Node = std::array<uint64_t, kValues / 2>;  // two values a word

  explicit NodeTable(MemoryBudget& budget);

  // The number of a node, which is added if need be: at least 1, and below 1 << number_bits(). 0: there is no room, or all its values
  // are 0.
  uint32_t number(const Node& node) {
    if (is_zero(node)) return 0;
    const uint64_t hash = mixed(node);
    for (unsigned k = 0; k < kSegments; ++k) {
      const Segment* segment = segments_[k].load(std::memory_order_acquire);
      if (segment == nullptr && (segment = add_segment(k)) == nullptr) break;
      const uint64_t bucket = segment->bucket(hash);
      if (const unsigned way = in_bucket(segment->buckets_at + bucket * kWords, node); way < kWays)
        return segment->first + static_cast<uint32_t>(bucket * kStride + way);
    }
    full_.store(true, std::memory_order_relaxed);
    return 0;
  }
  // Asks for the lines that number(node) will read.
  void fetch(const Node& node) const {
    const uint64_t hash = mixed(node);
    for (unsigned k = 0; k < kSegments; ++k) {
      const Segment* segment = segments_[k].load(std::memory_order_acquire);
      if (segment == nullptr) return;
      const Word* bucket = segment->buckets_at + segment->bucket(hash) * kWords;
      __builtin_prefetch(bucket);
      __builtin_prefetch(bucket + kWords / 2);
    }
  }
  Node node(uint32_t number) const {
    Node result{};
    if (number == 0) return result;
    const Word* there = place(number);
    for (unsigned i = 0; i < result.size(); ++i) result[i] = there[i].load(std::memory_order_relaxed);
    return result;
  }
  // Asks for the line that node(number) will read.
  void fetch_number(uint32_t number) const {
    if (number != 0) __builtin_prefetch(place(number));
  }

  unsigned number_bits() const { return number_bits_; }
  bool full() const { return full_.load(std::memory_order_relaxed); }
  uint64_t size() const;  // counts them

 private:
  using Word = std::atomic<uint64_t>;
  static constexpr unsigned kSegments = 24;
  static constexpr unsigned kWords = 16;  // of a bucket
  static constexpr unsigned kWays = kValues == 2 ? 16 : 7, kStride = kValues == 2 ? 16 : 8;
  static constexpr uint64_t kBusy = uint64_t{1} << 63;

  struct Segment {
    MemoryMap memory;
    Word* buckets_at = nullptr;
    uint64_t buckets = 0;
    uint32_t first = 0;  // number of its first place

    uint64_t bucket(uint64_t hash) const { return ((hash >> 32) * buckets) >> 32; }
  };

  static uint64_t mixed(const Node& node) {
    uint64_t hash = 0;
    for (const uint64_t word : node) {
      hash = (hash ^ word ^ (word >> 32)) * 0x9e3779b97f4a7c15ull;
      hash ^= hash >> 29;
    }
    return hash * 0xbf58476d1ce4e5b9ull;
  }
  // The place in a bucket where the node is, or now is; kWays: there is no room.
  static unsigned in_bucket(Word* bucket, const Node& node) {
    if constexpr (kValues == 2) {
      for (unsigned i = 0; i < kWays; ++i) {
        uint64_t there = bucket[i].load(std::memory_order_relaxed);
        if (there == 0 && bucket[i].compare_exchange_strong(there, node[0], std::memory_order_relaxed))
          return i;
        if (there == node[0]) return i;
      }
      return kWays;
    } else {
      uint64_t count = bucket[0].load(std::memory_order_acquire);
      for (unsigned looked = 0;;) {
        for (; looked < (count & ~kBusy); ++looked)
          if (is_entry(bucket, looked, node)) return looked;
        if (looked == kWays) return kWays;
        if ((count & kBusy) == 0 &&
            bucket[0].compare_exchange_strong(count, count | kBusy, std::memory_order_acquire)) {
          for (unsigned i = 0; i < node.size(); ++i)
            bucket[1 + looked * 2 + i].store(node[i], std::memory_order_relaxed);
          bucket[0].store(looked + 1, std::memory_order_release);
          return looked;
        }
        count = bucket[0].load(std::memory_order_acquire);
      }
    }
  }
  static bool is_zero(const Node& node) {
    uint64_t bits = 0;
    for (const uint64_t word : node) bits |= word;
    return bits == 0;
  }
  static bool is_entry(const Word* bucket, unsigned way, const Node& node) {
    uint64_t difference = 0;
    for (unsigned i = 0; i < node.size(); ++i)
      difference |= bucket[1 + way * 2 + i].load(std::memory_order_relaxed) ^ node[i];
    return difference == 0;
  }
  const Word* place(uint32_t number) const {
    const uint64_t at = number - 1 + first_places_;
    const auto k = static_cast<unsigned>(63 - __builtin_clzll(at >> first_bits_));
    const uint64_t in_segment = at - (first_places_ << k);
    const Word* first = segments_[k].load(std::memory_order_relaxed)->buckets_at;
    if constexpr (kValues == 2) return first + in_segment;
    return first + in_segment / kStride * kWords + 1 + in_segment % kStride * 2;
  }
  const Segment* add_segment(unsigned k);

  MemoryBudget& budget_;
  unsigned first_bits_;  // places of the first segment
  uint64_t first_places_;
  unsigned number_bits_;
  std::atomic<bool> full_{false};
  std::array<std::atomic<const Segment*>, kSegments> segments_{};
  std::mutex mutex_;  // for adding a segment
  std::array<std::unique_ptr<Segment>, kSegments> owned_;
};

}  // namespace strata
