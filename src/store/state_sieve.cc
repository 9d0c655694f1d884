#include "store/state_sieve.h"

#include <algorithm>
#include <bit>
#include <mutex>

namespace strata {

Result<std::unique_ptr<StateSieve>> StateSieve::create(uint64_t key_bytes, unsigned region_bits,
                                                       uint64_t cache_bytes, uint64_t filter_bytes,
                                                       MemoryBudget& budget) {
  const uint64_t bucket_bytes = kHeadBytes + kWays * key_bytes;
  const auto in_regions = [&](uint64_t n) {
    return std::min(n, uint64_t{UINT32_MAX}) >> region_bits << region_bits;
  };
  const uint64_t buckets = in_regions((cache_bytes - std::min(cache_bytes, kPageBytes)) / bucket_bytes);
  const uint64_t words = in_regions(filter_bytes / sizeof(uint64_t));
  if (buckets == 0 || words == 0)
    return Status::limit("--memory is too small for a cache of states; raise it");
  Result<TableMemory> cache = TableMemory::create(buckets * bucket_bytes, budget);
  if (!cache.ok()) return cache.status();
  Result<TableMemory> filter = TableMemory::create(words * sizeof(uint64_t), budget);
  if (!filter.ok()) return filter.status();
  return std::unique_ptr<StateSieve>(
      new StateSieve(key_bytes, region_bits, buckets, words, std::move(*cache), std::move(*filter)));
}

StateSieve::StateSieve(uint64_t key_bytes, unsigned region_bits, uint64_t buckets, uint64_t words,
                       TableMemory cache, TableMemory filter)
    : key_bytes_(key_bytes),
      bucket_bytes_(kHeadBytes + kWays * key_bytes),
      region_bits_(region_bits),
      buckets_(buckets),
      words_(words),
      cache_(std::move(cache)),
      filter_(std::move(filter)),
      locks_(std::make_unique<Region[]>(regions())) {}

namespace {

// The bytes of a head that equal a tag, as high bits; a byte behind one that does may be called equal too.
uint64_t equal_tags(uint64_t head, uint8_t tag) {
  constexpr uint64_t kOnes = 0x0001010101010101, kHigh = 0x0080808080808080;
  const uint64_t difference = (head ^ kOnes * tag) & 0x00ffffffffffffff;
  return (difference - kOnes) & ~difference & kHigh;
}

}  // namespace

// Whether a key is in the cache; it is afterwards.
inline bool StateSieve::meet(const uint8_t* key, uint64_t hash) {
  uint8_t* place = bucket(hash);
  uint64_t head;
  std::memcpy(&head, place, sizeof head);
  uint8_t* keys = place + kHeadBytes;
  for (uint64_t equal = equal_tags(head, tag(hash)); equal != 0; equal &= equal - 1) {
    const auto slot = static_cast<uint64_t>(std::countr_zero(equal)) / 8;
    if (equal_bytes(keys + slot * key_bytes_, key, key_bytes_)) return true;
  }
  const uint64_t victim = head >> 56, shift = 8 * victim;
  const uint64_t next = victim + 1 == kWays ? 0 : victim + 1;
  head = (head & ~(uint64_t{0xff} << shift) & 0x00ffffffffffffff) | uint64_t{tag(hash)} << shift | next << 56;
  std::memcpy(place, &head, sizeof head);
  copy_bytes(keys + victim * key_bytes_, key, key_bytes_);
  return false;
}

// Which of a block's keys the cache does not know: their numbers; how many. Their words of the filter are fetched.
uint64_t StateSieve::meet_block(const Keys& keys, const uint32_t* places, const uint64_t* hashes, uint64_t n,
                                uint32_t* unknown) {
  for (uint64_t i = 0; i < n; ++i) __builtin_prefetch(bucket(hashes[i]), 0, 2);
  // The lines of keys whose tags are equal, and of those that will go.
  for (uint64_t i = 0; i < n; ++i) {
    const uint8_t* place = bucket(hashes[i]);
    uint64_t head;
    std::memcpy(&head, place, sizeof head);
    const uint64_t equal = equal_tags(head, tag(hashes[i]));
    const uint64_t slot = equal != 0 ? static_cast<uint64_t>(std::countr_zero(equal)) / 8 : head >> 56;
    __builtin_prefetch(place + kHeadBytes + slot * key_bytes_, 0, 2);
  }
  uint64_t count = 0;
  for (uint64_t i = 0; i < n; ++i) {
    if (meet(keys.key(places[i]), hashes[i])) continue;
    unknown[count++] = static_cast<uint32_t>(i);
    __builtin_prefetch(&word(hashes[i]), 0, 2);
  }
  return count;
}

void StateSieve::judge(const Keys& keys, const Group& group, Answer* answers) {
  const std::lock_guard<SpinLock> lock(locks_[group.region].lock);
  for (uint64_t begin = 0; begin < group.count; begin += kBlock) {
    const uint64_t n = std::min(kBlock, group.count - begin);
    const uint64_t* hashes = group.hashes + begin;
    uint32_t unknown[kBlock];
    const uint64_t count = meet_block(keys, group.places + begin, hashes, n, unknown);
    std::fill(answers + begin, answers + begin + n, Answer::met);
    for (uint64_t k = 0; k < count; ++k) {
      const uint64_t hash = hashes[unknown[k]];
      uint64_t& bits = word(hash);
      const uint64_t wanted = mask(hash);
      answers[begin + unknown[k]] = (bits & wanted) == wanted ? Answer::doubtful : Answer::fresh;
      bits |= wanted;
    }
  }
}

void StateSieve::learn(const Keys& keys, const Group& group, bool recent) {
  const std::lock_guard<SpinLock> lock(locks_[group.region].lock);
  for (uint64_t begin = 0; begin < group.count; begin += kBlock) {
    const uint64_t n = std::min(kBlock, group.count - begin);
    const uint64_t* hashes = group.hashes + begin;
    for (uint64_t i = 0; i < n; ++i) __builtin_prefetch(&word(hashes[i]), 0, 2);
    for (uint64_t i = 0; i < n; ++i) word(hashes[i]) |= mask(hashes[i]);
    uint32_t unknown[kBlock];
    if (recent) meet_block(keys, group.places + begin, hashes, n, unknown);
  }
}

}  // namespace strata
