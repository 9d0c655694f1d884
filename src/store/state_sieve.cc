#include "store/state_sieve.h"

#include <algorithm>
#include <bit>
#include <mutex>

namespace strata {

uint64_t StateSieve::bytes_of_bucket(uint64_t key_bytes) {
  return round_up(1 + kLeastWays * (key_bytes + 1), kLine);
}

uint64_t StateSieve::ways_of_bucket(uint64_t key_bytes) {
  return std::min(kMostWays, (bytes_of_bucket(key_bytes) - 1) / (key_bytes + 1));
}

Result<std::unique_ptr<StateSieve>> StateSieve::create(uint64_t key_bytes, unsigned region_bits,
                                                       uint64_t cache_bytes, uint64_t filter_bytes,
                                                       MemoryBudget& budget) {
  const uint64_t bucket_bytes = bytes_of_bucket(key_bytes);
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
      bucket_bytes_(bytes_of_bucket(key_bytes)),
      ways_(ways_of_bucket(key_bytes)),
      tag_bits_(0x8080808080808080 >> (64 - 8 * ways_)),
      region_bits_(region_bits),
      buckets_(buckets),
      words_(words),
      cache_(std::move(cache)),
      filter_(std::move(filter)),
      locks_(std::make_unique<Region[]>(regions())) {}

// Whether a key is in the cache; it is afterwards.
inline bool StateSieve::meet(const uint8_t* key, uint64_t hash) {
  uint8_t* place = bucket(hash);
  uint64_t head;
  std::memcpy(&head, place, sizeof head);
  uint8_t* keys = place + ways_ + 1;
  for (uint64_t equal = equal_tags(head, tag(hash)); equal != 0; equal &= equal - 1) {
    const auto slot = static_cast<uint64_t>(std::countr_zero(equal)) / 8;
    if (equal_bytes(keys + slot * key_bytes_, key, key_bytes_)) return true;
  }
  uint8_t& victim = place[ways_];
  place[victim] = tag(hash);
  copy_bytes(keys + victim * key_bytes_, key, key_bytes_);
  victim = victim + 1u == ways_ ? 0 : static_cast<uint8_t>(victim + 1);
  return false;
}

// Which of a block's keys the cache does not know: their numbers; how many. Their words of the filter are fetched.
uint64_t StateSieve::meet_block(const Keys& keys, const uint32_t* places, const uint64_t* hashes, uint64_t n,
                                uint32_t* unknown) {
  for (uint64_t i = 0; i < n; ++i) __builtin_prefetch(bucket(hashes[i]), 0, 2);
  // Of a longer bucket, the lines of keys whose tags are equal, and of those that will go.
  for (uint64_t i = 0; i < n && bucket_bytes_ > kLine; ++i) {
    const uint8_t* place = bucket(hashes[i]);
    uint64_t head;
    std::memcpy(&head, place, sizeof head);
    const uint64_t equal = equal_tags(head, tag(hashes[i]));
    const uint64_t slot = equal != 0 ? static_cast<uint64_t>(std::countr_zero(equal)) / 8 : place[ways_];
    __builtin_prefetch(place + ways_ + 1 + slot * key_bytes_, 0, 2);
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
