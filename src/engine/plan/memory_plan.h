// How a search divides its memory. Each algorithm has one pure function that plans all of it, from what the
// budget can give, the number of threads and the size of states; the search then draws what its plan says. So
// a share follows from the input, and not from the order in which structures happen to be made.
//
//   shares   what each structure gets, in bytes, under a name that users read ("memory.plan" in the JSON)
//   sizes    what follows from them, as bytes of a block or states of a batch: members of the algorithm's own plan
//
// Invariants
//  1. The shares add up to the memory at most, also when the plan does not fit.
//  2. A plan that fits has room for the least that each of its structures can begin with.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/memory_map.h"

namespace strata {

struct PlanInput {
  uint64_t memory = 0;  // that the search may draw from its budget
  unsigned threads = 1;
  uint64_t state_bytes = 1, key_bytes = 1;
  bool signatures = false;      // keys are not the states, which are kept beside them
  uint64_t max_successors = 0;  // of a state
  // What the threads' buffers for successors have drawn already: states may have had more of them than was planned.
  uint64_t drawn = 0;

  // How the files of a run that is resumed were made, which does not change with its memory. 0: as the plan likes.
  struct Shape {
    uint64_t block = 0, queue_block = 0;  // bytes
    uint64_t partitions = 0;
  };
  Shape shape{};

  // A successor with its rule and its parent.
  uint64_t successor_bytes() const { return state_bytes + 2 * sizeof(uint32_t); }
};

// A thread of a search on disk has room for so many successors at least, or for all that a state can have, if
// those are fewer. More of them it has if they take this share of the memory at most, as a state can have
// fewer than its rules say.
inline constexpr uint64_t kSureSuccessors = 64, kSuccessorShare = 16;
// So that many are within that share.
inline uint64_t successors_memory(uint64_t successors, uint64_t state_bytes, unsigned threads) {
  return kSuccessorShare * threads * (state_bytes + 32) * successors;
}

class MemoryPlan {
 public:
  using Shares = std::vector<std::pair<std::string, uint64_t>>;

  MemoryPlan() = default;
  explicit MemoryPlan(uint64_t memory) : left_(memory) {}

  // Gives this many bytes to a share, which may have some already. A share of none is not listed.
  void give(const char* name, uint64_t bytes);
  // All that is left, `least` bytes or more; returns how many.
  uint64_t give_rest(const char* name, uint64_t least);
  // There is no room for a share, whatever is left.
  void refuse(const char* name);
  // What no share has yet; 0 when the plan does not fit.
  uint64_t left() const { return left_; }

  bool fits() const { return tight_.empty(); }
  // The share for which there was no room.
  const std::string& tight() const { return tight_; }
  const Shares& shares() const { return shares_; }
  uint64_t total() const;

 private:
  Shares shares_;
  uint64_t left_ = 0;
  std::string tight_;
};

// For a plan that does not fit: a memory, in whole pages, with which it does, and the least one where more
// memory never makes a plan tighter. `plan` makes of an input something that has `shares`.
template <class Planner>
uint64_t least_memory(const Planner& plan, PlanInput input) {
  constexpr uint64_t kMostPages = uint64_t{1} << 40;
  const auto fits = [&](uint64_t pages) {
    input.memory = pages * kPageBytes;
    return plan(input).shares.fits();
  };
  uint64_t low = input.memory / kPageBytes, high = low + 1;
  while (high < kMostPages && !fits(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (fits(middle) ? high : low) = middle;
  }
  return high * kPageBytes;
}

}  // namespace strata
