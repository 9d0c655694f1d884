#include "store/waiting_set.h"

#include <algorithm>
#include <bit>
#include <mutex>

namespace strata {

namespace {

constexpr uint64_t kNone = UINT64_MAX;
// A bucket of sixteen is meant for this many keys.
constexpr uint64_t kKeysOfBucket = 13;
// Six bits of an entry at least are a tag.
constexpr uint64_t kMostEntries = (uint64_t{1} << 26) - 1;

// Regions so large that chance fills none of them: at 256 buckets, 4096 places for 3328 keys, a standard deviation of 58.
constexpr uint64_t kRegionBuckets = 256;

}  // namespace

uint64_t WaitingSet::regions_of(uint64_t entries) {
  return std::bit_floor(std::clamp<uint64_t>(entries / kKeysOfBucket / kRegionBuckets, 1, kMostRegions));
}

uint64_t WaitingSet::buckets_of(uint64_t entries) {
  return round_up(entries / kKeysOfBucket + 1, regions_of(entries));
}

uint64_t WaitingSet::capacity(uint64_t key_bytes, unsigned threads, uint64_t bytes) {
  // A key, its mark, its share of a bucket.
  const uint64_t fixed = kMostRegions * sizeof(IndexBucket) + kPageBytes;
  const uint64_t entries =
      std::min(kMostEntries, (bytes - std::min(bytes, fixed)) * kKeysOfBucket /
                                 (kKeysOfBucket * (key_bytes + 1) + sizeof(IndexBucket)));
  return entries - std::min(entries, threads * kChunk);
}

Result<std::unique_ptr<WaitingSet>> WaitingSet::create(uint64_t key_bytes, unsigned threads, uint64_t bytes,
                                                       MemoryBudget& budget) {
  const uint64_t keys = capacity(key_bytes, threads, bytes);
  if (keys == 0) return Status::limit("--memory is too small for a table of states; raise it");
  const uint64_t entries = keys + threads * kChunk, buckets = buckets_of(entries);
  Result<TableMemory> memory =
      TableMemory::create(buckets * sizeof(IndexBucket) + entries * (key_bytes + 1), budget);
  if (!memory.ok()) return memory.status();
  return std::unique_ptr<WaitingSet>(
      new WaitingSet(key_bytes, threads, entries, buckets, std::move(*memory)));
}

WaitingSet::WaitingSet(uint64_t key_bytes, unsigned threads, uint64_t entries, uint64_t buckets,
                       TableMemory memory)
    : key_bytes_(key_bytes),
      entries_(entries),
      buckets_(buckets),
      region_count_(regions_of(entries)),
      region_buckets_(buckets / region_count_),
      number_bits_(static_cast<unsigned>(std::bit_width(entries))),
      memory_(std::move(memory)),
      index_(reinterpret_cast<IndexBucket*>(memory_.data())),
      marks_(memory_.data() + buckets * sizeof(IndexBucket)),
      keys_(marks_ + entries),
      regions_(std::make_unique<Region[]>(region_count_)),
      threads_(threads) {}

void WaitingSet::clear() {
  std::memset(static_cast<void*>(index_), 0, buckets_ * sizeof(IndexBucket));
  std::memset(marks_, 0, used());
  used_ = 0;
  for (Thread& thread : threads_) thread.next = thread.end = 0;
}

// The number of a key, or kNone.
uint64_t WaitingSet::find(const uint8_t* wanted, uint64_t hash) const {
  for (uint64_t at = home(hash);; at = next(at)) {
    const IndexBucket& bucket = index_[at];
    for (SlotSet matches = bucket.matching(tag(hash), number_bits_); !matches.empty(); matches.drop_first()) {
      const uint32_t slot = bucket.slots[matches.first()];
      if ((slot & ((1u << number_bits_) - 1)) == 0) break;  // empty, as all behind it
      const uint64_t entry = number_of(slot);
      if (equal_bytes(key(entry), wanted, key_bytes_)) return entry;
    }
    if (!bucket.full()) return kNone;
  }
}

// The caller has locked the key's region.
void WaitingSet::add_one(Thread& own, const uint8_t* wanted, uint64_t hash, uint8_t label) {
  if (find(wanted, hash) != kNone) return;
  if (own.next == own.end) {
    own.next = used_.fetch_add(kChunk, std::memory_order_relaxed);
    own.end = std::min(own.next + kChunk, entries_);
  }
  const uint64_t entry = own.next++;
  copy_bytes(key(entry), wanted, key_bytes_);
  marks_[entry] = label;
  uint64_t at = home(hash);
  while (index_[at].full()) at = next(at);
  index_[at].slots[index_[at].first_empty()] = tag(hash) | static_cast<uint32_t>(entry + 1);
}

void WaitingSet::add(unsigned thread, const Keys& keys, uint8_t label) {
  Thread& own = threads_[thread];
  own.places.resize(keys.count);
  std::fill(std::begin(own.starts), std::end(own.starts), 0);
  for (uint64_t i = 0; i < keys.count; ++i) ++own.starts[region(keys.hashes[i]) + 1];
  for (uint64_t r = 0; r < region_count_; ++r) own.starts[r + 1] += own.starts[r];
  for (uint64_t i = 0; i < keys.count; ++i)
    own.places[own.starts[region(keys.hashes[i])]++] = static_cast<uint32_t>(i);
  // Now starts[r] is where the part of region r ends.
  uint64_t begin = 0;
  for (uint64_t r = 0; r < region_count_; ++r) {
    const uint64_t end = own.starts[r];
    if (begin == end) continue;
    const std::lock_guard<SpinLock> lock(regions_[r].lock);
    for (; begin < end; begin += std::min(kBlock, end - begin)) {
      const uint64_t n = std::min(kBlock, end - begin);
      const uint32_t* places = own.places.data() + begin;
      for (uint64_t i = 0; i < n; ++i) __builtin_prefetch(&index_[home(keys.hashes[places[i]])], 1, 2);
      for (uint64_t i = 0; i < n; ++i) add_one(own, keys.key(places[i]), keys.hashes[places[i]], label);
    }
  }
}

// Calls action(i, entry) for the keys that are in the set.
template <class Action>
void WaitingSet::for_each_found(const Keys& keys, const Action& action) const {
  for (uint64_t begin = 0; begin < keys.count; begin += kBlock) {
    const uint64_t end = std::min(keys.count, begin + kBlock);
    for (uint64_t i = begin; i < end; ++i) __builtin_prefetch(&index_[home(keys.hashes[i])], 0, 2);
    // Most keys have no equal tag at home, and their home is not full: they are not here.
    uint32_t perhaps[kBlock];
    uint64_t count = 0;
    for (uint64_t i = begin; i < end; ++i) {
      const IndexBucket& bucket = index_[home(keys.hashes[i])];
      const SlotSet matches = bucket.matching(tag(keys.hashes[i]), number_bits_);
      perhaps[count] = static_cast<uint32_t>(i);
      if (!matches.empty()) {
        const uint32_t slot = bucket.slots[matches.first()];
        __builtin_prefetch(key(slot == 0 ? 0 : number_of(slot)), 0, 2);
      }
      count += !matches.empty() || bucket.full();
    }
    for (uint64_t k = 0; k < count; ++k) {
      const uint64_t i = perhaps[k], entry = find(keys.key(i), keys.hashes[i]);
      if (entry != kNone) action(i, entry);
    }
  }
}

void WaitingSet::erase(const Keys& keys) {
  for_each_found(keys, [&](uint64_t, uint64_t entry) {
    std::atomic_ref(marks_[entry]).store(0, std::memory_order_relaxed);
  });
}

uint64_t WaitingSet::take(const Keys& keys, uint8_t* taken) {
  uint64_t count = 0;
  std::fill(taken, taken + keys.count, 0);
  for_each_found(keys, [&](uint64_t i, uint64_t entry) {
    const std::atomic_ref mark(marks_[entry]);
    taken[i] = mark.load(std::memory_order_relaxed) != 0 && mark.exchange(0, std::memory_order_relaxed) != 0;
    count += taken[i];
  });
  return count;
}

}  // namespace strata
