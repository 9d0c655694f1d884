#include "store/perfect/perfect_cell.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace strata {

using perfect::bucket;
using perfect::mix;
using perfect::slot;

CellBuilder::Outcome CellBuilder::build(const uint64_t* hashes, uint64_t n, uint64_t first, uint8_t* cell) {
  std::memset(cell, 0, shape_.bytes());
  if (n > shape_.most()) return Outcome::duplicate;
  for (uint16_t seed = 0; seed < 64; ++seed) {
    const CellHead head{first, static_cast<uint16_t>(n), seed, 0};
    std::memcpy(cell, &head, sizeof(head));
    if (!sort_into_buckets(hashes, n, seed)) return Outcome::duplicate;
    if (!place_all(cell + CellShape::kHeadBytes)) continue;
    write_places(cell);
    if (is_bijective(hashes, n, cell)) return Outcome::built;
  }
  return Outcome::failed;
}

// False: two keys are equal.
bool CellBuilder::sort_into_buckets(const uint64_t* hashes, uint64_t n, uint64_t seed) {
  keys_.resize(n);
  sort_.order(
      shape_.pilots, n, [&](uint64_t i) { return bucket(mix(hashes[i], seed), shape_.pilots); },
      [&](uint64_t i, uint16_t place) { keys_[place] = mix(hashes[i], seed); });
  // By size, the largest first.
  order_.resize(shape_.pilots);
  std::iota(order_.begin(), order_.end(), uint16_t{0});
  std::sort(order_.begin(), order_.end(), [&](uint16_t a, uint16_t b) {
    return size_of(a) != size_of(b) ? size_of(a) > size_of(b) : a < b;
  });
  for (uint32_t b = 0; b < shape_.pilots; ++b) {
    for (uint32_t i = sort_.start(b); i < sort_.end(b); ++i)
      for (uint32_t j = sort_.start(b); j < i; ++j)
        if (keys_[i] == keys_[j]) return false;
  }
  slots_ = n + shape_.spare;
  return true;
}

bool CellBuilder::place_all(uint8_t* pilots) {
  owners_.assign(slots_, kFree);
  waiting_.clear();
  evictions_ = 0;
  for (const uint16_t next : order_) {
    if (size_of(next) == 0) break;
    if (!place(next, pilots)) return false;
    recent_.fill(kFree);
    while (!waiting_.empty()) {
      // The largest of those that wait is the hardest.
      const auto largest = std::max_element(waiting_.begin(), waiting_.end(),
                                            [&](uint16_t a, uint16_t b) { return size_of(a) < size_of(b); });
      const uint16_t evicted = std::exchange(*largest, waiting_.back());
      waiting_.pop_back();
      if (!place(evicted, pilots)) return false;
    }
  }
  return true;
}

// Gives a bucket a pilot; buckets that it evicts wait. False: too many evictions.
bool CellBuilder::place(uint32_t next, uint8_t* pilots) {
  bool evicts = false;
  uint64_t pilot = 0;
  // The search begins at a varying pilot, or two buckets might evict each other for ever.
  if (!find_pilot(next, evictions_ * 37, pilot, evicts)) return false;
  for (uint32_t i = sort_.start(next); evicts && i < sort_.end(next); ++i) {
    const uint16_t owner = owners_[slot(keys_[i], pilot, slots_)];
    if (owner == kFree) continue;
    if (++evictions_ > 16 * uint64_t{shape_.pilots} + 64) return false;
    for (uint32_t j = sort_.start(owner); j < sort_.end(owner); ++j)
      owners_[slot(keys_[j], pilots[owner], slots_)] = kFree;
    waiting_.push_back(owner);
  }
  pilots[next] = static_cast<uint8_t>(pilot);
  if (evicts) recent_[evictions_ % recent_.size()] = static_cast<uint16_t>(next);
  for (uint32_t i = sort_.start(next); i < sort_.end(next); ++i)
    owners_[slot(keys_[i], pilot, slots_)] = static_cast<uint16_t>(next);
  return true;
}

// A pilot whose slots are free, else the pilot whose owners are smallest. False: no pilot keeps the keys apart.
bool CellBuilder::find_pilot(uint32_t next, uint64_t begin_pilot, uint64_t& pilot, bool& evicts) {
  const uint64_t* keys = keys_.data() + sort_.start(next);
  const uint64_t size = size_of(next);
  for (pilot = 0; pilot < 256; ++pilot) {
    uint64_t i = 0;
    while (i < size && owners_[slot(keys[i], pilot, slots_)] == kFree) ++i;
    if (i < size) continue;
    for (i = 0; i < size; ++i) {
      uint16_t& owner = owners_[slot(keys[i], pilot, slots_)];
      if (owner != kFree) break;
      owner = static_cast<uint16_t>(next);
    }
    const bool apart = i == size;
    while (i-- > 0) owners_[slot(keys[i], pilot, slots_)] = kFree;
    if (apart) return true;
  }
  evicts = true;
  uint64_t best = UINT64_MAX;
  std::vector<uint64_t> taken(size);
  for (uint64_t turn = 0; turn < 256; ++turn) {
    const uint64_t candidate = (begin_pilot + turn) % 256;
    uint64_t cost = 0;
    bool apart = true;
    for (uint64_t i = 0; i < size && apart && cost < best; ++i) {
      taken[i] = slot(keys[i], candidate, slots_);
      for (uint64_t j = 0; j < i; ++j) apart = apart && taken[j] != taken[i];
      const uint16_t owner = owners_[taken[i]];
      if (owner == kFree) continue;
      cost += uint64_t{size_of(owner)} * size_of(owner);
      apart = apart && std::find(recent_.begin(), recent_.end(), owner) == recent_.end();
    }
    if (!apart || cost >= best) continue;
    best = cost;
    pilot = candidate;
  }
  return best != UINT64_MAX;
}

// Keys in slots past the end take the free slots below it.
void CellBuilder::write_places(uint8_t* cell) const {
  const uint64_t count = slots_ - shape_.spare;
  uint8_t* places = cell + CellShape::kHeadBytes + shape_.pilots;
  uint64_t hole = 0;
  for (uint64_t s = count; s < slots_; ++s) {
    if (owners_[s] == kFree) continue;
    while (owners_[hole] != kFree) ++hole;
    const uint16_t place = static_cast<uint16_t>(hole++);
    std::memcpy(places + 2 * (s - count), &place, 2);
  }
}

// Every function is checked before it is returned.
bool CellBuilder::is_bijective(const uint64_t* hashes, uint64_t n, const uint8_t* cell) {
  owners_.assign(n, kFree);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t place = slot_in_cell(cell, shape_, hashes[i]);
    if (place >= n || owners_[place] != kFree) return false;
    owners_[place] = 0;
  }
  return true;
}

}  // namespace strata
