// The nodes of folded states: each distinct list of kWords words once, by a number of its own that never changes. Insert-only, shared
// by threads without a lock where it is only read, within a MemoryBudget.
//
// Segments of buckets, each twice as large as the one before it. A node belongs to one bucket of each segment, and is put
// into the first of these that has room. So it is looked for from the first segment on, and a place that is free says that it
// is in none. A segment fills almost completely before much goes into the next, and nothing ever moves.
//
// A bucket has 16 nodes of one word; the node of zeros, which has the number 0, stands for a free place. Or 7 of more words, behind a
// word that counts them and has a tag for each: who adds one holds its bit kBusy meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/image/image.h"
#include "base/memory_budget.h"
#include "base/memory_map.h"
#include "base/status.h"

namespace strata {

template <unsigned kWords>
class NodeTable {
  static_assert(kWords == 1 || kWords == 2 || kWords == 4 || kWords == 8);

 public:
  using Node = std::array<uint64_t, kWords>;

  // Its numbers are those of a table within `shape_bytes`, whatever it may take: a table that is restored keeps its numbers.
  NodeTable(MemoryBudget& budget, uint64_t shape_bytes);
  explicit NodeTable(MemoryBudget& budget) : NodeTable(budget, budget.limit()) {}

  // For a checkpoint: all places. Nobody else uses it meanwhile, and a restored one was empty.
  void exchange(Image& image);

  static uint64_t hash(const Node& node) {
    if constexpr (kWords == 1) {
      const uint64_t once = (node[0] ^ node[0] >> 32) * 0x9e3779b97f4a7c15ull;
      return (once ^ once >> 29) * 0xbf58476d1ce4e5b9ull;
    } else {
      uint64_t sum = 0, factor = 0x9e3779b97f4a7c15ull;
      for (const uint64_t word : node) {
        const uint64_t product = (word ^ factor) * factor;
        sum = (sum << 5 | sum >> 59) + (product ^ product >> 32);
        factor += 0xd1342543de82ef96ull;
      }
      return (sum ^ sum >> 29) * 0xbf58476d1ce4e5b9ull;
    }
  }
  // The number of a node, which is added if need be: at least 1, and below 1 << number_bits(). 0: there is no room, or all its words
  // are 0.
  uint32_t number(const Node& node, uint64_t hash) {
    if (is_zero(node)) return 0;
    for (unsigned k = 0; k < kSegments; ++k) {
      const Segment* segment = segments_[k].load(std::memory_order_acquire);
      if (segment == nullptr && (segment = add_segment(k)) == nullptr) break;
      const uint64_t bucket = segment->bucket(hash);
      if (const unsigned way = in_bucket(segment->buckets_at + bucket * kBucketWords, node, hash);
          way < kWays)
        return segment->first + static_cast<uint32_t>(bucket * kStride + way);
    }
    full_.store(true, std::memory_order_relaxed);
    return 0;
  }
  uint32_t number(const Node& node) { return number(node, hash(node)); }
  // Asks for the lines that number() will read first.
  void fetch(uint64_t hash) const {
    for (unsigned k = 0; k < kSegments; ++k) {
      const Segment* segment = segments_[k].load(std::memory_order_acquire);
      if (segment == nullptr) return;
      const Word* bucket = segment->buckets_at + segment->bucket(hash) * kBucketWords;
      __builtin_prefetch(bucket + first_way(hash));
      if constexpr (kWords == 2) __builtin_prefetch(bucket + kBucketWords / 2);
    }
  }
  Node node(uint32_t number) const {
    Node result{};
    if (number == 0) return result;
    const Word* there = place(number);
    for (unsigned i = 0; i < kWords; ++i) result[i] = there[i].load(std::memory_order_relaxed);
    return result;
  }
  // Asks for the line that node(number) will read.
  void fetch_number(uint32_t number) const {
    if (number != 0) __builtin_prefetch(place(number));
  }

  unsigned number_bits() const { return number_bits_; }
  bool full() const { return full_.load(std::memory_order_relaxed); }
  uint64_t size() const;  // counts them
  static constexpr uint64_t kNodeBytes =
      kWords == 1 ? 8 : kWords * 8 + 8;  // with its share of the bucket's first word

 private:
  using Word = std::atomic<uint64_t>;
  static constexpr unsigned kSegments = 24;
  static constexpr unsigned kWays = kWords == 1 ? 16 : 7, kStride = kWords == 1 ? 16 : 8;
  static constexpr unsigned kBucketWords = kWords == 1 ? 16 : kStride * kWords;
  static constexpr uint64_t kBucketBytes = kBucketWords * sizeof(uint64_t);
  static constexpr uint64_t kBusy = 8, kCount = 7;
  static constexpr unsigned kTagBits = 8;
  static constexpr uint64_t kTag = 0xff, kEachTag = 0x0101010101010101ull;

  struct Segment {
    MemoryMap memory;
    Word* buckets_at = nullptr;
    uint64_t buckets = 0;
    uint32_t first = 0;  // number of its first place

    uint64_t bucket(uint64_t hash) const { return ((hash >> 32) * buckets) >> 32; }
  };

  // Of one word: the half of the bucket, a line of memory, that is filled and looked through first.
  static unsigned first_way(uint64_t hash) {
    return kWords == 1 ? static_cast<unsigned>(hash & 1) * kWays / 2 : 0;
  }
  // The place in a bucket where the node is, or now is; kWays: there is no room.
  static unsigned in_bucket(Word* bucket, const Node& node, uint64_t hash) {
    if constexpr (kWords == 1) {
      const unsigned first = first_way(hash);
      for (unsigned i = 0; i < kWays; ++i) {
        Word& entry = bucket[i ^ first];
        uint64_t there = entry.load(std::memory_order_relaxed);
        if (there == 0 && entry.compare_exchange_strong(there, node[0], std::memory_order_relaxed))
          return i ^ first;
        if (there == node[0]) return i ^ first;
      }
      return kWays;
    } else {
      const uint64_t tag = hash & kTag;
      uint64_t head = bucket[0].load(std::memory_order_acquire);
      for (unsigned looked = 0;;) {
        const auto count = static_cast<unsigned>(head & kCount);
        // Bit 7 of byte i: the tag of entry i is this one, or (seldom) the one before it was.
        const uint64_t difference = (head >> kTagBits) ^ tag * kEachTag;
        for (uint64_t same = (difference - kEachTag) & ~difference & kEachTag << (kTagBits - 1); same != 0;
             same &= same - 1) {
          const auto way = static_cast<unsigned>(std::countr_zero(same)) / kTagBits;
          if (way >= looked && way < count && is_entry(bucket, way, node)) return way;
        }
        looked = count;
        if (looked == kWays) return kWays;
        if ((head & kBusy) == 0 &&
            bucket[0].compare_exchange_strong(head, head | kBusy, std::memory_order_acquire)) {
          for (unsigned i = 0; i < kWords; ++i)
            bucket[1 + looked * kWords + i].store(node[i], std::memory_order_relaxed);
          bucket[0].store((head + 1) | tag << (kTagBits + looked * kTagBits), std::memory_order_release);
          return looked;
        }
        head = bucket[0].load(std::memory_order_acquire);
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
    for (unsigned i = 0; i < kWords; ++i)
      difference |= bucket[1 + way * kWords + i].load(std::memory_order_relaxed) ^ node[i];
    return difference == 0;
  }
  const Word* place(uint32_t number) const {
    const uint64_t at = number - 1 + first_places_;
    const auto k = static_cast<unsigned>(63 - __builtin_clzll(at >> first_bits_));
    const uint64_t in_segment = at - (first_places_ << k);
    const Word* first = segments_[k].load(std::memory_order_relaxed)->buckets_at;
    if constexpr (kWords == 1) return first + in_segment;
    return first + in_segment / kStride * kBucketWords + 1 + in_segment % kStride * kWords;
  }
  const Segment* add_segment(unsigned k);
  const Segment* make_segment(unsigned k, uint64_t bytes);

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
