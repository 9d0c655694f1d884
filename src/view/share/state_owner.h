// Which rank a state belongs to.
//
//   hash    by the hash of the whole state: shares are even whatever the model, and of R ranks' successors
//   all but one in R travel.
//   local   by the hash of those of its bits that few transitions change, so that most successors stay with
//   the rank that found them,
//           and those that travel come from fewer places. Which bits, a sample of the model says: the ones
//           that change least, as many as are needed for even shares; the fewer ranks, the fewer bits.
//
// All ranks find the same bits, as the sample is made by walks of a seeded generator.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "model/model.h"

namespace strata {

class StateOwner {
 public:
  explicit StateOwner(uint64_t ranks) : ranks_(ranks) {}
  // By bits that change seldom; as above where the model has too few of them.
  static StateOwner local(const Model& model, uint64_t ranks);

  uint64_t operator()(const uint8_t* state, uint64_t hash) const {
    return of_hash(words_.empty() ? hash : hash_words(state), ranks_);
  }
  // The rank of a hash, of so many. Tables use the hash's bits as they are.
  static uint64_t of_hash(uint64_t hash, uint64_t ranks) {
    return ((hash * 0x9e3779b97f4a7c15ull >> 32) * ranks) >> 32;
  }

  bool is_local() const { return !words_.empty(); }

 private:
  // Eight bytes of a state, and the bits of them that count.
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
  std::vector<Word> words_;  // none: the whole state
};

}  // namespace strata
