// How a search divides its memory. Each algorithm has one pure function that plans all of it, from the size
// of the budget, the number of threads and the size of states. The search then draws what the plan says. So a
// share follows from the input, not from the order in which structures are created.
//
//   shares   the bytes of each structure, under a name that users read ("memory.plan" in the JSON)
//   sizes    what follows from the shares, such as bytes of a block or states of a batch: members of the
//   algorithm's plan
//
// Invariants
//  1. The shares add up to at most the memory, even if the plan does not fit.
//  2. A plan that fits gives each structure the least that it can begin with.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/system/memory_map.h"

namespace strata {

struct PlanInput {
  uint64_t memory = 0;  // bytes that the search may draw from its budget
  unsigned threads = 1;
  uint64_t state_bytes = 1, key_bytes = 1;
  bool signatures = false;      // keys are not states; states are kept besides them
  uint64_t max_successors = 0;  // of a state
  // What the threads' buffers for successors have drawn already: a state may have had more successors than planned.
  uint64_t drawn = 0;

  // How the files of a resumed run were made. A change of memory does not change them. 0: the plan chooses.
  struct Shape {
    uint64_t block = 0, queue_block = 0;  // bytes
    uint64_t partitions = 0;
  };
  Shape shape{};

  // The bytes of a successor with its rule and its parent.
  uint64_t successor_bytes() const { return state_bytes + 2 * sizeof(uint32_t); }
};

// A thread of a search on disk has room for at least this many successors, or for all that a state can have, if that is
// less. It has room for all in any case if they take at most this share of the memory, because a state can have fewer
// successors than its rules suggest.
inline constexpr uint64_t kSureSuccessors = 64, kSuccessorShare = 16;
// The memory of which this many successors take that share.
inline uint64_t successors_memory(uint64_t successors, uint64_t state_bytes, unsigned threads) {
  return kSuccessorShare * threads * (state_bytes + 32) * successors;
}

class MemoryPlan {
 public:
  using Shares = std::vector<std::pair<std::string, uint64_t>>;

  MemoryPlan() = default;
  explicit MemoryPlan(uint64_t memory) : left_(memory) {}

  // Adds bytes to a share. A share of 0 bytes is not listed.
  void give(const char* name, uint64_t bytes);
  // Gives all that is left, at least `least` bytes. Returns how many.
  uint64_t give_rest(const char* name, uint64_t least);
  // Marks a share for which there is no room, however much is left.
  void refuse(const char* name);
  // The bytes that no share has; 0 if the plan does not fit.
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

// For a plan that does not fit: the least memory, in whole pages, with which it fits, provided that more memory never
// makes a plan tighter. `plan` turns an input into an object that has `shares`.
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
