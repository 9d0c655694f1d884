// Inserts states into a StateTable and returns their places: numbers under which a search can keep data of its own
// about each state. A state's place never changes. Places are dense: n states have places below n and a little, as the
// shards of a table fill evenly. Thread safety: each thread has its own finder.
#pragma once

#include <cstdint>

namespace strata {

constexpr uint64_t kNoPlace = UINT64_MAX;

class PlaceFinder {
 public:
  virtual ~PlaceFinder() = default;
  // The places of states[0 .. n * state_bytes); new states are inserted. kNoPlace if the memory budget refused room for
  // a state.
  virtual void find(const uint8_t* states, uint64_t n, uint64_t* places) = 0;
};

}  // namespace strata
