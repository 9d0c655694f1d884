// Which rank owns a state.
//
//   hash    by the hash of the whole state: the shares are even for every model; of the successors, (R - 1) / R travel
//           with R ranks.
//   local   by the hash of those bits of the state that few transitions change: most successors stay with the rank that
//           found them, and those that travel come from few ranks. A sample of the model tells which bits change least;
//           as many are used as even shares need, fewer with fewer ranks.
//
// All ranks choose the same bits, because the walks of the sample use a seeded generator.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "model/model.h"

namespace strata {

class StateOwner {
 public:
  explicit StateOwner(uint64_t ranks) : ranks_(ranks) {}
  // By bits that change rarely; by the hash of the whole state if the model has too few of them.
  static StateOwner local(const Model& model, uint64_t ranks);

  uint64_t operator()(const uint8_t* state, uint64_t hash) const {
    return of_hash(words_.empty() ? hash : hash_words(state), ranks_);
  }
  // The rank of a hash. Tables use the bits of the hash directly.
  static uint64_t of_hash(uint64_t hash, uint64_t ranks) {
    return ((hash * 0x9e3779b97f4a7c15ull >> 32) * ranks) >> 32;
  }

  bool is_local() const { return !words_.empty(); }

 private:
  // Eight bytes of a state, and those of their bits that count.
  struct Word {
    uint64_t offset, mask;
  };

  uint64_t hash_words(const uint8_t* state) const {
    uint64_t hash = 0;
    for (const Word& word : words_) {
      uint64_t bits;
      std::memcpy(&bits, state + word.offset, sizeof bits);
      hash = (hash ^ (bits & word.mask)) * 0xbf58476d1ce4e5b9ull;
      hash ^= hash >> 32;
    }
    return hash * 0x94d049bb133111ebull;
  }
  void take_bits(const uint32_t* bits, uint64_t n, uint64_t state_bytes);

  uint64_t ranks_;
  std::vector<Word> words_;  // empty: the whole state
};

}  // namespace strata
