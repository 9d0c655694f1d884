#include "store/cache/state_sieve.h"

#include <algorithm>

#include "base/checks.h"

namespace strata {

namespace {

// The best number of bits to set, by the bits of filter that there are for a state.
struct BestMarks {
  uint64_t bits_from;
  unsigned marks;
};
constexpr BestMarks kBest[] = {{16, 8}, {10, 6}, {7, 5}, {5, 4}};
constexpr unsigned kLeastMarks = 3;

}  // namespace

uint64_t StateSieve::bytes_of_bucket(uint64_t key_bytes) {
  return round_up(1 + kLeastWays * (key_bytes + 1), kLine);
}

uint64_t StateSieve::ways_of_bucket(uint64_t key_bytes) {
  return std::min(TagWord::kMostTags, (bytes_of_bucket(key_bytes) - 1) / (key_bytes + 1));
}

uint64_t StateSieve::least_bytes(uint64_t key_bytes, unsigned region_bits) {
  return round_up((bytes_of_bucket(key_bytes) + kLine) << region_bits, kPageBytes);
}

StateSieve::Parts StateSieve::parts(uint64_t key_bytes, unsigned region_bits, uint64_t bytes,
                                    uint64_t filter_bytes) {
  const auto in_regions = [&](uint64_t n) {
    return std::min(n, uint64_t{UINT32_MAX}) >> region_bits << region_bits;
  };
  const uint64_t line_words = kLine / sizeof(uint64_t), bucket = bytes_of_bucket(key_bytes);
  filter_bytes = std::clamp(filter_bytes, kLine << region_bits, bytes - (bucket << region_bits));
  // Whole lines in each region.
  const uint64_t words = in_regions(filter_bytes / kLine) * line_words;
  return {words, in_regions((bytes - words * sizeof(uint64_t)) / bucket)};
}

uint64_t StateSieve::cache_bytes(uint64_t key_bytes, unsigned region_bits, uint64_t bytes,
                                 uint64_t filter_bytes) {
  return parts(key_bytes, region_bits, round_down(bytes, kPageBytes), filter_bytes).buckets *
         bytes_of_bucket(key_bytes);
}

Result<std::unique_ptr<StateSieve>> StateSieve::create(uint64_t key_bytes, unsigned region_bits,
                                                       uint64_t bytes, uint64_t filter_bytes,
                                                       MemoryBudget& budget) {
  bytes = round_down(bytes, kPageBytes);
  if (bytes < least_bytes(key_bytes, region_bits))
    return Status::limit("--memory is too small for a cache of states; raise it");
  Result<TableMemory> memory = TableMemory::create(bytes, budget);
  if (!memory.ok()) return memory.status();
  std::unique_ptr<StateSieve> sieve(new StateSieve(key_bytes, region_bits, bytes, std::move(*memory)));
  sieve->lay_out(filter_bytes);
  return sieve;
}

StateSieve::StateSieve(uint64_t key_bytes, unsigned region_bits, uint64_t bytes, TableMemory memory)
    : key_bytes_(key_bytes),
      bucket_bytes_(bytes_of_bucket(key_bytes)),
      ways_(ways_of_bucket(key_bytes)),
      tag_bits_(TagWord::high_bits(ways_)),
      region_bits_(region_bits),
      bytes_(bytes),
      memory_(std::move(memory)),
      filter_(reinterpret_cast<uint64_t*>(memory_.data())),
      locks_(std::make_unique<Region[]>(regions())) {}

void StateSieve::lay_out(uint64_t filter_bytes) {
  const Parts divided = parts(key_bytes_, region_bits_, bytes_ - reserved_, filter_bytes);
  words_ = divided.words;
  cache_ = memory_.data() + words_ * sizeof(uint64_t);
  buckets_ = divided.buckets;
}

void StateSieve::divide(uint64_t filter_bytes) {
  lay_out(filter_bytes);
  std::fill(filter_, filter_ + words_, 0);
  forget(bytes_);
}

unsigned StateSieve::marks_for(uint64_t states) const {
  const uint64_t each = filter_bits() / std::max<uint64_t>(states, 1);
  for (const BestMarks& best : kBest)
    if (each >= best.bits_from) return best.marks;
  return kLeastMarks;
}

void StateSieve::reserve(uint64_t bytes) {
  const uint64_t least = filter_bytes() + (bucket_bytes_ << region_bits_);
  reserved_ = round_down(std::min(bytes, bytes_ - least), kLine);
  lay_out(filter_bytes());
  forget(bytes_);
}

uint64_t StateSieve::forget(uint64_t bytes) {
  const uint64_t end = std::min(buckets_, (bytes + bucket_bytes_ - 1) / bucket_bytes_);
  for (uint64_t b = 0; b < end; ++b) std::memset(cache_ + b * bucket_bytes_, 0, ways_ + 1);
  const uint64_t in_region = buckets_ >> region_bits_;
  return (end + in_region - 1) / in_region;
}

// Whether a key was in the cache. It is afterwards.
inline bool StateSieve::meet(const uint8_t* key, uint64_t hash) {
  uint8_t* place = bucket(hash);
  uint8_t* keys = place + ways_ + 1;
  for (uint64_t equal = TagWord(place).equal(tag(hash), tag_bits_); equal != 0; equal &= equal - 1)
    if (equal_bytes(keys + TagWord::place(equal) * key_bytes_, key, key_bytes_)) return true;
  uint8_t& victim = place[ways_];
  place[victim] = tag(hash);
  copy_bytes(keys + victim * key_bytes_, key, key_bytes_);
  victim = victim + 1u == ways_ ? 0 : static_cast<uint8_t>(victim + 1);
  return false;
}

// Puts a block's keys into the cache. Writes the numbers of those that were not there to `unknown`, and returns how
// many; fetches their words of the filter.
uint64_t StateSieve::meet_block(const Keys& keys, const uint32_t* places, const uint64_t* hashes, uint64_t n,
                                uint32_t* unknown) {
  for (uint64_t i = 0; i < n; ++i) __builtin_prefetch(bucket(hashes[i]), 0, 2);
  // Of a longer bucket, the lines of keys whose tags are equal, or of the victim.
  for (uint64_t i = 0; i < n && bucket_bytes_ > kLine; ++i) {
    const uint8_t* place = bucket(hashes[i]);
    const uint64_t equal = TagWord(place).equal(tag(hashes[i]), tag_bits_);
    const uint64_t slot = equal != 0 ? TagWord::place(equal) : place[ways_];
    __builtin_prefetch(place + ways_ + 1 + slot * key_bytes_, 0, 2);
  }
  uint64_t count = 0;
  for (uint64_t i = 0; i < n; ++i) {
    if (meet(keys.key(places[i]), hashes[i])) continue;
    unknown[count++] = static_cast<uint32_t>(i);
    __builtin_prefetch(word(hashes[i]), 0, 2);
  }
  return count;
}

void StateSieve::classify(const Keys& keys, const Group& group, Answer* answers) {
  with_marks([&](auto number) { classify<decltype(number)::value>(keys, group, answers); });
}

template <unsigned kMarks>
void StateSieve::classify(const Keys& keys, const Group& group, Answer* answers) {
  const SpinLockGuard lock(locks_[group.region].lock);
  for (uint64_t begin = 0; begin < group.count; begin += kBlock) {
    const uint64_t n = std::min(kBlock, group.count - begin);
    const uint64_t* hashes = group.hashes + begin;
    uint32_t unknown[kBlock];
    const uint64_t count = meet_block(keys, group.places + begin, hashes, n, unknown);
    std::fill(answers + begin, answers + begin + n, Answer::seen);
    for (uint64_t k = 0; k < count; ++k) {
      const Marks found = marks<kMarks>(hashes[unknown[k]]);
      answers[begin + unknown[k]] = found.are_set() ? Answer::doubtful : Answer::fresh;
      found.set();
    }
  }
}

void StateSieve::learn(const Keys& keys, const Group& group, bool recent) {
  with_marks([&](auto number) { learn<decltype(number)::value>(keys, group, recent); });
}

template <unsigned kMarks>
void StateSieve::learn(const Keys& keys, const Group& group, bool recent) {
  const SpinLockGuard lock(locks_[group.region].lock);
  for (uint64_t begin = 0; begin < group.count; begin += kBlock) {
    const uint64_t n = std::min(kBlock, group.count - begin);
    const uint64_t* hashes = group.hashes + begin;
    for (uint64_t i = 0; i < n; ++i) __builtin_prefetch(word(hashes[i]), 0, 2);
    for (uint64_t i = 0; i < n; ++i) marks<kMarks>(hashes[i]).set();
    uint32_t unknown[kBlock];
    if (recent) meet_block(keys, group.places + begin, hashes, n, unknown);
  }
}

std::string StateSieve::check_invariants() const {
  return with_marks([&](auto number) { return check_cache<decltype(number)::value>(); });
}

template <unsigned kMarks>
std::string StateSieve::check_cache() const {
  InvariantCheck check("StateSieve");
  for (uint64_t b = 0; b < buckets_ && check.ok(); ++b) {
    const uint8_t* tags = cache_ + b * bucket_bytes_;
    const uint8_t* keys = tags + ways_ + 1;
    check.holds(3, tags[ways_] < ways_, "the victim is a place of the bucket", b);
    for (uint64_t i = 0; i < ways_ && check.ok(); ++i) {
      check.holds(3, i >= tags[ways_] || tags[i] != 0, "the places before the victim have keys", b);
      if (tags[i] == 0) continue;
      const uint8_t* key = keys + i * key_bytes_;
      const uint64_t hash = hash_bytes(key, key_bytes_);
      check.holds(1, bucket(hash) == tags && tag(hash) == tags[i], "a key is in the bucket of its hash", b);
      for (uint64_t other = 0; other < i; ++other)
        check.holds(2, tags[other] == 0 || !equal_bytes(keys + other * key_bytes_, key, key_bytes_),
                    "the keys of a bucket differ", b);
      check.holds(4, marks<kMarks>(hash).are_set(), "the filter has the bits of a key", b);
    }
  }
  return check.broken();
}

}  // namespace strata
