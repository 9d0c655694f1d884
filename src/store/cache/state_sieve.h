// Tells new states from states seen before, as well as possible in less memory than the states need.
//
//   seen       the state was given before (certain)
//   fresh      the state was not given before (certain)
//   doubtful   the state was probably given before
//
// Two structures answer, one after the other. First an exact cache of states seen lately, which forgets the oldest:
// it knows most duplicates, because in a search level by level they mostly follow each other soon. Then a Bloom filter
// (Bloom 1970) of all states ever given, the bits of one state in two words of one cache line (blocks: Putze, Sanders
// and Singler 2007), which is never wrong about a fresh state. So `doubtful` are states seen long ago, and a few new
// ones: with c bits of filter a state, k of which each state sets, about (1 - exp(-k / c))^k of them, and a little
// more as words are not filled evenly: with the best k 0.1 % at 16 bits a state, 2.4 % at 8, 15 % at 4
// (state_sieve_test.cc measures it). With all bits in one word it is 0.5, 3.4 and 16 %; spread over the line 0.1, 2.3
// and 15 %.
//
// Both are divided into regions by the high bits of the hash. A thread locks a region once for all states of a batch
// that belong there, because atomic operations on each state would cost more than everything else (on a Neoverse N1
// 40 ns each, as the line is not in the first-level cache).
//
// Layout of the cache. A bucket is one cache line if at least three keys fit into it, or the fewest lines into which
// three fit: a tag of each key (0: no key), the place of the next victim, the keys. The oldest key goes first. Seven
// keys of 8 bytes fill a line, four of 13.
//
// Invariants (while no function is being called, and nobody else uses the cache's memory)
//  1. A key is in the bucket of its hash, with its tag.
//  2. The keys of a bucket differ.
//  3. The place of the next victim is below the number of keys; all places before it have keys.
//  4. The filter has the bits of every key of the cache.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/locks/spin_lock.h"
#include "store/key/keys.h"
#include "store/key/table_memory.h"
#include "store/key/tag_word.h"

namespace strata {

class StateSieve {
 public:
  enum class Answer : uint8_t { seen, fresh, doubtful };

  // Fails when the bytes are fewer than least_bytes(): a bucket and a line of the filter in each of the
  // 2^region_bits regions.
  static Result<std::unique_ptr<StateSieve>> create(uint64_t key_bytes, unsigned region_bits, uint64_t bytes,
                                                    uint64_t filter_bytes, MemoryBudget& budget);
  static uint64_t least_bytes(uint64_t key_bytes, unsigned region_bits);
  // The memory of the cache in a sieve that create() makes.
  static uint64_t cache_bytes(uint64_t key_bytes, unsigned region_bits, uint64_t bytes,
                              uint64_t filter_bytes);
  uint64_t bytes() const { return bytes_; }
  uint64_t filter_bytes() const { return words_ * sizeof(uint64_t); }
  // Divides the memory again: this much for the filter, as far as possible, and the rest for the cache. Empties both.
  void divide(uint64_t filter_bytes);
  // Chooses how many bits a state sets in the filter, three to eight, for about this many states.
  // REQUIRES: the filter is empty.
  void expect(uint64_t states) { marks_ = marks_for(states); }
  // Whether an empty filter would set fewer bits a state if it were for this many states.
  bool is_overfull(uint64_t states) const { return marks_for(states) < marks_; }
  // The memory of the cache. Others may use its first bytes while no function is called, and must forget() them then.
  struct Memory {
    uint8_t* data = nullptr;
    uint64_t bytes = 0;
  };
  Memory cache_memory() const { return {cache_, buckets_ * bucket_bytes_}; }
  // Leaves this many bytes of the cache's memory, or as many as possible, to others until it is called again. Empties
  // the cache.
  void reserve(uint64_t bytes);
  Memory reserved_memory() const { return {memory_.data() + bytes_ - reserved_, reserved_}; }
  // Empties these first bytes of the cache; returns how many regions, the first ones, this concerns.
  uint64_t forget(uint64_t bytes);

  std::string check_invariants() const;

  uint64_t regions() const { return uint64_t{1} << region_bits_; }
  uint64_t region_of(uint64_t hash) const { return high_bits(hash, region_bits_); }

  // Some keys of one region: key i is keys.key(places[i]), and hashes[i] is its hash.
  struct Group {
    uint64_t region = 0;
    const uint32_t* places = nullptr;
    const uint64_t* hashes = nullptr;
    uint64_t count = 0;
  };
  // Answers for keys in their order, and puts them into cache and filter. Of equal keys at most one is fresh.
  // Thread safety: any number of threads call classify() and learn(); the other functions require that none does.
  void classify(const Keys& keys, const Group& group, Answer* answers);
  // Puts keys into the filter, and if `recent` into the cache too.
  void learn(const Keys& keys, const Group& group, bool recent);

  uint64_t filter_bits() const { return words_ * 64; }
  uint64_t recent_states() const { return buckets_ * ways_; }

 private:
  template <class>
  friend struct InvariantPeer;
  template <unsigned kMarks>
  std::string check_cache() const;
  static constexpr uint64_t kLine = 64;
  static constexpr uint64_t kLeastWays = 3;
  // Keys that pass the stages of a look-up together: lines that one stage fetches have arrived before the next one.
  static constexpr uint64_t kBlock = 64;

  StateSieve(uint64_t key_bytes, unsigned region_bits, uint64_t bytes, TableMemory memory);

  // The place of a key follows from the high half of its hash, so a region is a part of the cache and of the filter.
  static uint64_t scale(uint64_t hash, uint64_t n) { return ((hash >> 32) * n) >> 32; }
  uint8_t* bucket(uint64_t hash) const { return cache_ + scale(hash, buckets_) * bucket_bytes_; }
  unsigned marks_for(uint64_t states) const;
  // The two words of a hash, in one line, and its bits in each of them.
  struct Marks {
    uint64_t *first, *second;
    uint64_t in_first, in_second;
    bool are_set() const { return (*first & in_first) == in_first && (*second & in_second) == in_second; }
    void set() const {
      *first |= in_first;
      *second |= in_second;
    }
  };
  uint64_t* word(uint64_t hash) const { return filter_ + scale(hash, words_); }
  template <unsigned kMarks>
  Marks marks(uint64_t hash) const {
    // The high bits of the product depend on all of the hash's.
    const uint64_t mixed = hash * 0x9e3779b97f4a7c15, place = scale(hash, words_);
    const auto bit = [mixed](unsigned at) { return uint64_t{1} << (mixed >> at & 63); };
    Marks marks{filter_ + place, filter_ + (place ^ (mixed >> 61 | 1)), bit(55) | bit(49), bit(43)};
    if constexpr (kMarks > 3) marks.in_second |= bit(37);
    if constexpr (kMarks > 4) marks.in_first |= bit(31);
    if constexpr (kMarks > 5) marks.in_second |= bit(25);
    if constexpr (kMarks > 6) marks.in_first |= bit(19);
    if constexpr (kMarks > 7) marks.in_second |= bit(13);
    return marks;
  }
  // Calls action(number) with the number of marks as a constant.
  template <class Action>
  auto with_marks(const Action& action) const {
    switch (marks_) {
      case 3: return action(std::integral_constant<unsigned, 3>());
      case 4: return action(std::integral_constant<unsigned, 4>());
      case 5: return action(std::integral_constant<unsigned, 5>());
      case 6: return action(std::integral_constant<unsigned, 6>());
      default: return action(std::integral_constant<unsigned, 8>());
    }
  }
  template <unsigned kMarks>
  void classify(const Keys& keys, const Group& group, Answer* answers);
  template <unsigned kMarks>
  void learn(const Keys& keys, const Group& group, bool recent);
  static uint8_t tag(uint64_t hash) {
    const auto bits = static_cast<uint8_t>(hash >> 18);
    return bits == 0 ? 1 : bits;
  }
  // The bytes of a bucket for keys of this size, and how many keys it takes.
  static uint64_t bytes_of_bucket(uint64_t key_bytes);
  static uint64_t ways_of_bucket(uint64_t key_bytes);
  // How this many bytes are divided: words of the filter, and buckets.
  struct Parts {
    uint64_t words = 0, buckets = 0;
  };
  static Parts parts(uint64_t key_bytes, unsigned region_bits, uint64_t bytes, uint64_t filter_bytes);
  void lay_out(uint64_t filter_bytes);
  bool meet(const uint8_t* key, uint64_t hash);
  uint64_t meet_block(const Keys& keys, const uint32_t* places, const uint64_t* hashes, uint64_t n,
                      uint32_t* unknown);

  struct alignas(64) Region {
    SpinLock lock;
  };

  const uint64_t key_bytes_, bucket_bytes_, ways_;
  const uint64_t tag_bits_;  // the high bits of the tags
  const unsigned region_bits_;
  const uint64_t bytes_;
  TableMemory memory_;
  uint64_t* const filter_;  // in front of the cache
  uint8_t* cache_ = nullptr;
  uint64_t buckets_ = 0, words_ = 0, reserved_ = 0;
  unsigned marks_ = 3;  // bits of a state, 3 to 6 or 8
  std::unique_ptr<Region[]> locks_;
};

}  // namespace strata
