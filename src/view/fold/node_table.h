// The nodes of folded states: each distinct list of kWords words once, with a number that never changes. Insert-only,
// within a MemoryBudget.
//
//   nodes   n1 n2 n3 ...     in the order in which they came; a node's number is its place
//   index   buckets of 32 bytes: six numbers, and a tag of eight bits of the hash for each
//
// A search looks into the bucket of the node's hash, then into the other half of that line of memory, then into the
// lines that follow, and ends at the first bucket that is not full. So a look-up reads one line of the index and,
// nearly always only if the node is there, one line of nodes.
//
// Invariants (while no thread adds nodes)
//  1. Each node from number 1 to size() is in the index exactly once, in the first bucket of its search that was not
//     full when it came, with its tag.
//  2. No two nodes are equal, and none is all zeros.
//  3. A bucket is filled from the front, and not busy.
//  4. There is memory for size() nodes, and their numbers have number_bits().
//
// Thread safety: any number of threads look up and add. Looking up takes no lock. A thread that adds a node holds one
// of some locks, by the hash; a thread that makes a larger index, from the nodes, holds all of them. The memory of the
// old index is given back and reads as empty from then on; a thread that finds nothing there looks again with the lock.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/image/image.h"
#include "base/locks/mutex.h"
#include "base/locks/spin_lock.h"
#include "base/memory_budget.h"
#include "base/status.h"
#include "base/system/memory_map.h"

namespace strata {

template <unsigned kWords>
class NodeTable {
  static_assert(kWords == 1 || kWords == 2 || kWords == 4 || kWords == 8);

 public:
  using Node = std::array<uint64_t, kWords>;

  // The width of numbers follows from `shape_bytes` alone, not from the budget, so that a table that is restored with
  // another budget keeps its numbers.
  NodeTable(MemoryBudget& budget, uint64_t shape_bytes);
  explicit NodeTable(MemoryBudget& budget) : NodeTable(budget, budget.limit()) {}

  // For a checkpoint: all nodes. REQUIRES: no other thread uses the table; for restoring, it is empty.
  void serialize(Image& image);

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
  // See base/checks.h. REQUIRES: no other thread uses the table.
  std::string check_invariants() const;

  // Fetches the line of the index that likely() or number() will read.
  void fetch(uint64_t hash) const {
    if (const Index* index = index_.load(std::memory_order_acquire))
      __builtin_prefetch(index->buckets + index->home(hash));
  }
  // The number of the node that this is most likely, or 0; fetches its line.
  uint32_t likely(uint64_t hash) const {
    const Index* index = index_.load(std::memory_order_acquire);
    if (index == nullptr) return 0;
    const Bucket& bucket = index->buckets[index->home(hash)];
    const uint64_t head = bucket.head.load(std::memory_order_acquire);
    const uint64_t same = same_tags(head, hash);
    const uint32_t number = same == 0 ? 0 : bucket.numbers[way_of(same)].load(std::memory_order_relaxed);
    __builtin_prefetch(place(number));
    return number;
  }
  // The number of a node, which is added if it is not there: at least 1, and below 1 << number_bits(). 0: there is no
  // room, or all words of the node are 0.
  uint32_t number(const Node& node, uint64_t hash, uint32_t likely) {
    return likely != 0 && is_node(likely, node) ? likely : find_or_add(node, hash);
  }
  uint32_t number(const Node& node) { return find_or_add(node, hash(node)); }
  Node node(uint32_t number) const {
    Node result{};
    const Word* there = place(number);
    for (unsigned i = 0; i < kWords; ++i) result[i] = there[i].load(std::memory_order_relaxed);
    return result;
  }
  // Fetches the line that node(number) will read.
  void fetch_number(uint32_t number) const { __builtin_prefetch(place(number)); }

  unsigned number_bits() const { return number_bits_; }
  bool full() const { return full_.load(std::memory_order_relaxed); }
  uint64_t size() const { return size_.load(std::memory_order_relaxed); }
  static constexpr uint64_t kNodeBytes = kWords * 8 + 8;  // with its share of the index

 private:
  template <class>
  friend struct InvariantPeer;
  using Word = std::atomic<uint64_t>;
  static constexpr unsigned kWays = 6, kTagBits = 8, kTagsFrom = 16;
  static constexpr uint64_t kCount = 7, kBusy = 8;
  static constexpr uint64_t kLocks = 64;
  static constexpr uint64_t kTag = 0xff, kEachTag = 0x0101010101010101ull;

  // From the head's lowest bit on: how many numbers there are (three bits), kBusy: another one is being put
  // there; from bit 16 on their tags.
  struct alignas(32) Bucket {
    Word head{0};
    std::atomic<uint32_t> numbers[kWays]{};
  };
  struct Index {
    MemoryMap memory;
    std::unique_ptr<Bucket[]> little;  // instead of it, where it would be less than a page
    Bucket* buckets = nullptr;
    uint64_t count = 0;  // of buckets; even

    uint64_t home(uint64_t hash) const { return (((hash >> 16) & 0xffffffff) * count) >> 32; }
    uint64_t bytes() const { return count * sizeof(Bucket); }
    // Numbers that may be there before it is this full, in percent: threads that have looked at once may each add one.
    uint64_t limit(uint64_t load) const {
      const uint64_t slots = count * kWays;
      return std::min(slots * load / 100, slots - kLocks);
    }
  };
  struct alignas(64) Lock : SpinLock {};

  const Word* place(uint32_t number) const { return nodes_ + uint64_t{number} * kWords; }
  Word* place(uint32_t number) { return nodes_ + uint64_t{number} * kWords; }
  bool is_node(uint32_t number, const Node& node) const {
    const Word* there = place(number);
    uint64_t difference = 0;
    for (unsigned i = 0; i < kWords; ++i) difference |= there[i].load(std::memory_order_relaxed) ^ node[i];
    return difference == 0;
  }
  // The highest bit of byte i: the tag of number i is this one, or (seldom) the one before it was.
  static uint64_t same_tags(uint64_t head, uint64_t hash) {
    const uint64_t difference = (head >> kTagsFrom) ^ (hash & kTag) * kEachTag;
    const uint64_t filled = (uint64_t{1} << (head & kCount) * kTagBits) - 1;
    return (difference - kEachTag) & ~difference & kEachTag << (kTagBits - 1) & filled;
  }
  static unsigned way_of(uint64_t same) { return static_cast<unsigned>(std::countr_zero(same)) / kTagBits; }

  // Calls f(bucket) for the buckets in which one of this hash may be, until it says true. False: there are no more.
  template <class F>
  static bool any_bucket(const Index& index, uint64_t hash, const F& f);
  uint32_t find(const Index* index, const Node& node, uint64_t hash) const;
  uint32_t find_or_add(const Node& node, uint64_t hash);
  static void put(const Index& index, uint32_t number, uint64_t hash);
  static bool put(Bucket& bucket, uint32_t number, uint64_t hash);
  // An index with more room than this one. False: there is no memory for it.
  bool grow(const Index* from);
  std::unique_ptr<Index> make_index(uint64_t buckets);
  void enter_all(const Index& index) const;
  uint32_t new_number();
  bool make_nodes(uint64_t nodes);
  // The analysis does not follow locks in an array.
  void lock_all() UNCHECKED_LOCKS {
    for (Lock& lock : locks_) lock.lock();
  }
  void unlock_all() UNCHECKED_LOCKS {
    for (Lock& lock : locks_) lock.unlock();
  }
  Lock& lock_of(uint64_t hash) { return locks_[hash >> 48 & (kLocks - 1)]; }

  MemoryBudget& budget_;
  unsigned number_bits_;
  std::atomic<bool> full_{false};
  MemoryMap memory_;
  Word zeros_[kWords]{};
  Word* nodes_ = zeros_;                     // that of zeros is the first
  std::atomic<uint64_t> size_{0}, room_{0};  // nodes, without that of zeros
  std::atomic<const Index*> index_{nullptr};
  std::atomic<uint64_t> limit_{0};  // nodes for which the index has room
  Mutex grows_, makes_nodes_;
  // The last one is in use, the others are empty.
  std::vector<std::unique_ptr<Index>> indexes_ GUARDED_BY(grows_);
  std::array<Lock, kLocks> locks_;
};

}  // namespace strata
