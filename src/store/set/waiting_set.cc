#include "store/set/waiting_set.h"

#include <bit>

namespace strata {

namespace {

// Regions so large that chance fills none of them: of 4096 places 3686 are meant to be used, with a standard
// deviation of 61.
constexpr uint64_t kRegionPlaces = 4096;

}  // namespace

uint64_t WaitingSet::bytes_of_bucket(uint64_t place_bytes) {
  return round_up(kLeastWays * place_bytes, kLine);
}

uint64_t WaitingSet::ways_of_bucket(uint64_t place_bytes) {
  return std::min(TagWord::kMostTags, bytes_of_bucket(place_bytes) / place_bytes);
}

uint64_t WaitingSet::buckets_in(uint64_t place_bytes, uint64_t bytes) {
  const uint64_t bitmap = std::min(kMostWords * sizeof(uint64_t), bytes / 9);
  const uint64_t rest = bytes - std::min(bytes, bitmap);
  return std::min<uint64_t>(rest / bytes_of_bucket(place_bytes), UINT32_MAX);
}

uint64_t WaitingSet::capacity(uint64_t key_bytes, Labels labels, uint64_t bytes) {
  const uint64_t place_bytes = key_bytes + (labels == Labels::bytes ? 2 : 1);
  const uint64_t buckets = buckets_in(place_bytes, bytes);
  return buckets * ways_of_bucket(place_bytes) / 10 * 9;
}

uint64_t WaitingSet::bytes_for(uint64_t key_bytes, Labels labels, uint64_t keys) {
  const uint64_t place_bytes = key_bytes + (labels == Labels::bytes ? 2 : 1);
  const uint64_t buckets = (keys / 9 + 1) * 10 / ways_of_bucket(place_bytes) + 1;
  return (buckets + 1) * bytes_of_bucket(place_bytes) * 9 / 8;  // more than the share of the bitmap
}

Result<std::unique_ptr<WaitingSet>> WaitingSet::create(uint64_t key_bytes, Labels labels, unsigned threads,
                                                       uint8_t* memory, uint64_t bytes) {
  if (capacity(key_bytes, labels, bytes) == 0)
    return Status::limit("--memory is too small for a table of states; raise it");
  const uint64_t buckets = buckets_in(key_bytes + (labels == Labels::bytes ? 2 : 1), bytes);
  return std::unique_ptr<WaitingSet>(new WaitingSet(key_bytes, labels, threads, buckets, memory));
}

WaitingSet::WaitingSet(uint64_t key_bytes, Labels labels, unsigned threads, uint64_t buckets, uint8_t* memory)
    : key_bytes_(key_bytes),
      label_bytes_(labels == Labels::bytes ? 1 : 0),
      bucket_bytes_(bytes_of_bucket(key_bytes + label_bytes_ + 1)),
      ways_(ways_of_bucket(key_bytes + label_bytes_ + 1)),
      tag_bits_(TagWord::high_bits(ways_)),
      most_buckets_(buckets),
      memory_(memory),
      bitmap_(reinterpret_cast<uint64_t*>(memory_ + buckets * bucket_bytes_)),
      regions_(std::make_unique<Region[]>(kMostRegions)),
      threads_(threads) {}

// Uses half of the places if the memory has that many: then hardly any key is outside its home bucket.
void WaitingSet::begin(uint64_t keys) {
  STRATA_CHECK(keys <= capacity());
  const uint64_t buckets =
      std::clamp<uint64_t>(2 * keys / ways_ + 1, std::min<uint64_t>(most_buckets_, 64), most_buckets_);
  region_count_ = std::bit_floor(std::clamp<uint64_t>(buckets * ways_ / kRegionPlaces, 1, kMostRegions));
  region_buckets_ = buckets / region_count_;
  buckets_ = region_count_ * region_buckets_;
  words_ = words_for(buckets_) / region_count_ * region_count_;
}

void WaitingSet::clear_part(uint64_t part, uint64_t parts) {
  const uint64_t begin = buckets_ * part / parts, end = buckets_ * (part + 1) / parts;
  for (uint64_t b = begin; b < end; ++b) std::memset(bucket(b), kEmpty, ways_);
  std::fill(bitmap_ + words_ * part / parts, bitmap_ + words_ * (part + 1) / parts, 0);
}

// The address of a key's tag, or nullptr. Erased keys are not found.
inline uint8_t* WaitingSet::find(const uint8_t* wanted, uint64_t hash) const {
  const uint8_t wanted_tag = tag(hash);
  for (uint64_t at = home(hash);; at = next(at)) {
    uint8_t* tags = bucket(at);
    for (uint64_t equal = TagWord(tags).equal(wanted_tag, tag_bits_); equal != 0; equal &= equal - 1) {
      const uint64_t place = TagWord::place(equal);
      if (equal_bytes(key_at(tags, place), wanted, key_bytes_)) return tags + place;
    }
    if (std::atomic_ref(tags[ways_ - 1]).load(std::memory_order_relaxed) == kEmpty) return nullptr;
  }
}

// The caller has locked the key's region.
void WaitingSet::add_one(const uint8_t* wanted, uint64_t hash, uint8_t label) {
  if (find(wanted, hash) != nullptr) return;
  uint64_t at = home(hash);
  while (bucket(at)[ways_ - 1] != kEmpty) at = next(at);
  uint8_t* tags = bucket(at);
  const uint64_t place = TagWord::place(TagWord(tags).equal(kEmpty, tag_bits_));
  tags[place] = tag(hash);
  uint8_t* key = key_at(tags, place);
  copy_bytes(key, wanted, key_bytes_);
  if (label_bytes_ != 0) key[key_bytes_] = label;
  word(hash) |= bit(hash);
}

inline void WaitingSet::fetch_key(uint64_t hash) const {
  uint8_t* tags = bucket(home(hash));
  const uint64_t equal = TagWord(tags).equal(tag(hash), tag_bits_);
  if (equal == 0) return;
  const uint8_t* key = key_at(tags, TagWord::place(equal));
  for (uint64_t line = 0; line < key_bytes_; line += kLine) __builtin_prefetch(key + line, 0, 2);
}

void WaitingSet::add(unsigned thread, const Keys& keys, uint8_t label) {
  Thread& own = threads_[thread];
  own.places.resize(keys.count);
  own.sort.order(
      region_count_, keys.count, [&](uint64_t i) { return region(keys.hashes[i]); },
      [&](uint64_t i, uint32_t place) { own.places[place] = static_cast<uint32_t>(i); });
  const auto hash = [&](uint64_t i) { return keys.hashes[own.places[i]]; };
  for (uint64_t i = 0; i < std::min(kAhead, keys.count); ++i) fetch(hash(i));
  uint64_t i = 0;
  for (uint64_t r = 0; r < region_count_; ++r) {
    const uint64_t end = own.sort.end(r);
    if (i == end) continue;
    const SpinLockGuard lock(regions_[r].lock);
    for (; i < end; ++i) {
      if (i + kAhead < keys.count) fetch(hash(i + kAhead));
      add_one(keys.key(own.places[i]), hash(i), label);
    }
  }
}

// Calls action(i, tag) for the keys that are in the set.
template <class Action>
inline void WaitingSet::for_each_found(const Keys& keys, const Action& action) const {
  for (uint64_t begin = 0; begin < keys.count; begin += kBlock) {
    const uint64_t end = std::min(keys.count, begin + kBlock);
    uint32_t perhaps[kBlock];
    uint64_t count = 0;
    for (uint64_t i = begin; i < end; ++i) {
      const uint64_t hash = keys.hashes[i];
      // Without a branch, because it could not be predicted.
      perhaps[count] = static_cast<uint32_t>(i);
      count += (word(hash) & bit(hash)) != 0;
    }
    for (uint64_t k = 0; k < count; ++k) fetch(keys.hashes[perhaps[k]]);
    if (bucket_bytes_ > kLine)
      for (uint64_t k = 0; k < count; ++k) fetch_key(keys.hashes[perhaps[k]]);
    for (uint64_t k = 0; k < count; ++k) {
      const uint64_t i = perhaps[k];
      if (uint8_t* found = find(keys.key(i), keys.hashes[i]); found != nullptr) action(i, *found);
    }
  }
}

void WaitingSet::erase(const Keys& keys) {
  for_each_found(
      keys, [](uint64_t, uint8_t& tag) { std::atomic_ref(tag).store(kErased, std::memory_order_relaxed); });
}

uint64_t WaitingSet::take(const Keys& keys, uint8_t* taken) {
  uint64_t count = 0;
  std::fill(taken, taken + keys.count, 0);
  for_each_found(keys, [&](uint64_t i, uint8_t& tag) {
    taken[i] = std::atomic_ref(tag).exchange(kErased, std::memory_order_relaxed) != kErased;
    count += taken[i];
  });
  return count;
}

std::string WaitingSet::check_invariants() const {
  InvariantCheck check("WaitingSet");
  for (uint64_t b = 0; b < buckets_ && check.ok(); ++b) {
    const uint8_t* tags = bucket(b);
    for (uint64_t place = 0; place < ways_ && check.ok(); ++place) {
      if (tags[place] == kEmpty) continue;
      check.holds(1, place == 0 || tags[place - 1] != kEmpty, "a bucket is filled from the front", b);
      const uint8_t* key = key_at(bucket(b), place);
      const uint64_t hash = hash_bytes(key, key_bytes_);
      check.holds(2, region(hash) == b / region_buckets_, "a key is in its region", b);
      for (uint64_t at = home(hash); at != b && check.ok(); at = next(at))
        check.holds(2, bucket(at)[ways_ - 1] != kEmpty, "the buckets before a key's are full", b);
      check.holds(3, tags[place] < kFirstTag || find(key, hash) == tags + place,
                  "a search finds a key in its place", b);
      check.holds(4, (word(hash) & bit(hash)) != 0, "the bitmap has the bit of a key", b);
    }
  }
  return check.broken();
}

}  // namespace strata
