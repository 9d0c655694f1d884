// A batch of states on its way to partitions, ordered by partition; one for each thread. The high bits of the hash of a
// state's key give its partition, as they give the region of a StateSieve. The states are not moved, only their places
// are ordered; chosen states are copied together, so that they can be appended to a file at once.
#pragma once

#include <cstdint>
#include <numeric>

#include "store/cache/state_sieve.h"
#include "store/key/counting_sort.h"
#include "store/key/keys.h"

namespace strata {

class OrderedBatch {
 public:
  OrderedBatch(uint64_t state_bytes, unsigned partition_bits)
      : state_bytes_(state_bytes), partition_bits_(partition_bits) {}

  // Orders the keys for which wanted(i) is true.
  template <class Wanted>
  void order(const Keys& keys, const Wanted& wanted);
  // The states of one partition.
  StateSieve::Group group(uint64_t partition) const {
    const uint64_t begin = sort_.start(partition);
    return {partition, places_.data() + begin, hashes_.data() + begin, sort_.end(partition) - begin};
  }
  // All keys as one group, if they are of one partition already.
  StateSieve::Group whole(uint64_t partition, const Keys& keys) {
    places_.resize(keys.count);
    std::iota(places_.begin(), places_.end(), 0);
    return {partition, places_.data(), keys.hashes, keys.count};
  }

  // Copies together the states of a group for which chosen(i) is true, and their signatures if asked for; returns how
  // many.
  template <class Chosen>
  uint64_t gather(const StateSieve::Group& group, const Keys& keys, const uint8_t* states, bool signatures,
                  const Chosen& chosen);
  const uint8_t* states() const { return states_.data(); }
  const uint8_t* signatures() const { return signatures_.data(); }

 private:
  const uint64_t state_bytes_;
  const unsigned partition_bits_;
  CountingSort<uint32_t> sort_;
  // Where each state stands in the batch; its hash.
  UntouchedVector<uint32_t> unordered_, places_;
  UntouchedVector<uint64_t> hashes_;
  UntouchedVector<uint8_t> states_, signatures_;
};

template <class Wanted>
void OrderedBatch::order(const Keys& keys, const Wanted& wanted) {
  unordered_.resize(keys.count);
  places_.resize(keys.count);
  hashes_.resize(keys.count);
  sort_.begin(uint64_t{1} << partition_bits_);
  uint64_t count = 0;
  for (uint64_t i = 0; i < keys.count; ++i) {
    if (!wanted(i)) continue;
    unordered_[count++] = static_cast<uint32_t>(i);
    sort_.count(high_bits(keys.hashes[i], partition_bits_));
  }
  sort_.sum();
  for (uint64_t k = 0; k < count; ++k) {
    const uint32_t i = unordered_[k];
    const uint32_t place = sort_.place(high_bits(keys.hashes[i], partition_bits_));
    places_[place] = i;
    hashes_[place] = keys.hashes[i];
  }
}

template <class Chosen>
uint64_t OrderedBatch::gather(const StateSieve::Group& group, const Keys& keys, const uint8_t* states,
                              bool signatures, const Chosen& chosen) {
  const uint64_t bytes = state_bytes_;
  states_.resize(group.count * bytes);
  if (signatures) signatures_.resize(group.count * keys.key_bytes);
  uint64_t count = 0;
  for (uint64_t i = 0; i < group.count; ++i) {
    if (!chosen(i)) continue;
    copy_bytes(states_.data() + count * bytes, states + group.places[i] * bytes, bytes);
    if (signatures)
      copy_bytes(signatures_.data() + count * keys.key_bytes, keys.key(group.places[i]), keys.key_bytes);
    ++count;
  }
  return count;
}

}  // namespace strata
