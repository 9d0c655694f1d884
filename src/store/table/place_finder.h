// Inserting states into a StateTable and learning their places: numbers by which a search can keep something of its own
// about each state. In a table for several threads each may have a finder. A state's place never changes.
// Places are dense: n states have places below n and a little, as the shards of a table fill evenly.
#pragma once

#include <cstdint>

namespace strata {

constexpr uint64_t kNoPlace = UINT64_MAX;

class PlaceFinder {
 public:
  virtual ~PlaceFinder() = default;
  // The places of states[0 .. n * state_bytes), which are inserted where they are new; kNoPlace where the memory budget
  // refused room for one.
  virtual void find(const uint8_t* states, uint64_t n, uint64_t* places) = 0;
};

}  // namespace strata
