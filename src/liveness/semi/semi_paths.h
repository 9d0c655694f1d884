// Shortest paths for the semi-external searches, found by breadth-first search with the bits and traced back by
// expanding the levels once more, from the last to the first. Of several parents of a state the one with the smallest
// bytes is taken.
#pragma once

#include <functional>
#include <vector>

#include "liveness/semi/semi_external.h"

namespace strata {

class SemiPaths {
 public:
  explicit SemiPaths(SemiExternal& semi) : semi_(semi) {}

  // From a state to another one, or round to itself, without the last state. Uses the bits.
  Result<std::vector<PackedState>> between(const PackedState& from, const PackedState& to);
  // From an initial state, with the last state.
  Result<std::vector<PackedState>> to(const PackedState& state);

 private:
  using Ranges = std::function<Result<std::vector<LogRange>>(uint64_t epoch)>;
  Result<std::vector<PackedState>> back(const Ranges& ranges, uint64_t epoch, const PackedState& last);
  Result<uint64_t> level_of(const PackedState& state);

  SemiExternal& semi_;
};

}  // namespace strata
