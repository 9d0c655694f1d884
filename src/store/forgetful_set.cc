#include "store/forgetful_set.h"

#include <algorithm>
#include <cstring>

namespace strata {

Result<std::unique_ptr<ForgetfulSet>> ForgetfulSet::create(uint64_t key_bytes, uint64_t bytes,
                                                           MemoryBudget& budget) {
  const uint64_t bucket_bytes = sizeof(Head) + kWays * key_bytes;
  const uint64_t buckets =
      std::min<uint64_t>(UINT32_MAX, (bytes - std::min(bytes, kPageBytes)) / bucket_bytes);
  if (buckets == 0) return Status::limit("--memory is too small for a cache of states; raise it");
  Result<TableMemory> memory = TableMemory::create(buckets * bucket_bytes, budget);
  if (!memory.ok()) return memory.status();
  return std::unique_ptr<ForgetfulSet>(new ForgetfulSet(key_bytes, buckets, std::move(*memory)));
}

void ForgetfulSet::clear() { std::memset(memory_.data(), 0, buckets_ * bucket_bytes_); }

// Whether the key is new to the set.
bool ForgetfulSet::add_one(const uint8_t* wanted, uint64_t hash, uint64_t& forgotten) {
  const uint64_t b = place(hash);
  Head& head = *reinterpret_cast<Head*>(bucket(b));
  const uint8_t tag = static_cast<uint8_t>(hash);
  while (head.lock.exchange(1, std::memory_order_acquire) != 0) {
  }
  bool found = false;
  for (unsigned i = 0; i < head.used && !found; ++i)
    found = head.tags[i] == tag && equal_bytes(key(b, i), wanted, key_bytes_);
  if (!found) {
    unsigned slot;
    if (head.used < kWays) {
      slot = head.used++;
    } else {
      slot = head.victim;
      head.victim = static_cast<uint8_t>((slot + 1) % kWays);
      ++forgotten;
    }
    head.tags[slot] = tag;
    std::memcpy(key(b, slot), wanted, key_bytes_);
  }
  head.lock.store(0, std::memory_order_release);
  return !found;
}

uint64_t ForgetfulSet::add(const Keys& keys, Outcome* outcomes) {
  constexpr uint64_t kAhead = 16;
  uint64_t forgotten = 0;
  for (uint64_t begin = 0; begin < keys.count; begin += kAhead) {
    const uint64_t end = std::min(keys.count, begin + kAhead);
    for (uint64_t i = begin; i < end; ++i) {
      const uint8_t* line = bucket(place(keys.hashes[i]));
      __builtin_prefetch(line, 1);
      __builtin_prefetch(line + 64, 1);
    }
    for (uint64_t i = begin; i < end; ++i)
      outcomes[i] = add_one(keys.key(i), keys.hashes[i], forgotten) ? Outcome::fresh : Outcome::seen;
  }
  return forgotten;
}

}  // namespace strata
