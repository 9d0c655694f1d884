#include "store/cache/lossy_cache.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/checks.h"

namespace strata {

LossyCache::Buckets LossyCache::buckets_in(uint64_t key_bytes, uint64_t bytes) {
  constexpr uint64_t kFirst = 1 << 11;
  Buckets buckets;
  buckets.first = std::min<uint64_t>(UINT32_MAX, (bytes - std::min(bytes, kSlack)) / bucket_bytes(key_bytes));
  uint64_t growth = 1;
  while (buckets.first > 4 * kFirst) {
    buckets.first /= 4;
    growth *= 4;
  }
  buckets.full = buckets.first * growth;
  return buckets;
}

uint64_t LossyCache::drawn_bytes(uint64_t key_bytes, uint64_t bytes) {
  return round_up(buckets_in(key_bytes, bytes).full * bucket_bytes(key_bytes), kPageBytes);
}

Result<std::unique_ptr<LossyCache>> LossyCache::create(uint64_t key_bytes, uint64_t bytes,
                                                       MemoryBudget& budget) {
  if (bytes < least_bytes(key_bytes))
    return Status::limit("--memory is too small for a cache of states; raise it");
  const Buckets buckets = buckets_in(key_bytes, bytes);
  Result<TableMemory> memory = TableMemory::create(buckets.full * bucket_bytes(key_bytes), budget);
  if (!memory.ok()) return memory.status();
  return std::unique_ptr<LossyCache>(
      new LossyCache(key_bytes, buckets.first, buckets.full, std::move(*memory)));
}

// Moves the keys of bucket b to their new places: buckets behind it, which are empty by now, or, of the first
// one, itself.
void LossyCache::divide(uint64_t b, std::vector<uint8_t>& old) {
  old.assign(bucket(b), bucket(b) + bucket_bytes_);
  std::memset(bucket(b), 0, bucket_bytes_);
  const Head& head = *reinterpret_cast<const Head*>(old.data());
  uint64_t forgotten = 0;
  for (unsigned i = 0; i < head.used; ++i) {
    const uint8_t* moved = old.data() + sizeof(Head) + i * key_bytes_;
    add_one(moved, hash_bytes(moved, key_bytes_), forgotten);
  }
}

bool LossyCache::grow() {
  if (buckets_ == full_buckets_) return false;
  const uint64_t old = std::exchange(buckets_, 4 * buckets_);
  std::vector<uint8_t> buffer;
  for (uint64_t b = old; b-- > 0;) divide(b, buffer);
  return true;
}

void LossyCache::clear() { std::memset(memory_.data(), 0, buckets_ * bucket_bytes_); }

Outcome LossyCache::add_one(const uint8_t* wanted, uint64_t hash, uint64_t& forgotten) {
  const uint64_t b = place(hash);
  Head& head = *reinterpret_cast<Head*>(bucket(b));
  const uint8_t tag = static_cast<uint8_t>(hash);
  while (head.lock.exchange(1, std::memory_order_acquire) != 0) {
  }
  Outcome outcome = Outcome::fresh;
  for (unsigned i = 0; i < head.used; ++i) {
    if (head.tags[i] == tag && equal_bytes(key(b, i), wanted, key_bytes_)) outcome = Outcome::seen;
  }
  if (outcome == Outcome::fresh && head.used == kWays && buckets_ < full_buckets_) outcome = Outcome::full;
  if (outcome == Outcome::fresh) {
    unsigned slot;
    if (head.used < kWays) {
      slot = head.used++;
    } else {
      slot = head.victim;
      head.victim = static_cast<uint8_t>((slot + 1) % kWays);
      ++forgotten;
    }
    head.tags[slot] = tag;
    copy_bytes(key(b, slot), wanted, key_bytes_);
  }
  head.lock.store(0, std::memory_order_release);
  return outcome;
}

LossyCache::Counts LossyCache::add(const Keys& keys, Outcome* outcomes) {
  Counts counts;
  for (uint64_t begin = 0; begin < keys.count; begin += kKeysAhead) {
    const uint64_t end = std::min(keys.count, begin + kKeysAhead);
    for (uint64_t i = begin; i < end; ++i) {
      const uint8_t* line = bucket(place(keys.hashes[i]));
      __builtin_prefetch(line, 1);
      __builtin_prefetch(line + 64, 1);
    }
    for (uint64_t i = begin; i < end; ++i) {
      outcomes[i] = add_one(keys.key(i), keys.hashes[i], counts.forgotten);
      if (outcomes[i] == Outcome::full) return counts;
      ++counts.done;
    }
  }
  return counts;
}

std::string LossyCache::check_invariants() const {
  InvariantCheck check("LossyCache");
  for (uint64_t b = 0; b < buckets_ && check.ok(); ++b) {
    const Head& head = *reinterpret_cast<const Head*>(bucket(b));
    check.holds(3, head.used <= kWays && head.victim < kWays, "a bucket has at most kWays keys", b);
    check.holds(3, head.victim == 0 || (head.used == kWays && buckets_ == full_buckets_),
                "only a full bucket of a set of the full size has forgotten keys", b);
    for (unsigned i = 0; i < head.used && check.ok(); ++i) {
      const uint64_t hash = hash_bytes(key(b, i), key_bytes_);
      check.holds(1, place(hash) == b && head.tags[i] == static_cast<uint8_t>(hash),
                  "a key is in the bucket of its hash, with its tag", b);
      for (unsigned other = 0; other < i; ++other)
        check.holds(2, !equal_bytes(key(b, i), key(b, other), key_bytes_), "no two keys are equal", b);
    }
  }
  return check.broken();
}

}  // namespace strata
