// Some edges of a graph in RAM, by the numbers of their states. Goals are propagated backwards along them: a goal that
// the target of an edge can reach, its source can reach too. Within a chunk this is done to the fixpoint, whatever the
// order of its edges.
//
//   edges   sorted by target, so that those into a state are found by binary search
//   stack   the states whose predecessors have to be updated, as the place of the first edge into each
//
// Invariant: a state is at most once in the stack; the first edge into it is marked while it is.
//
// An edge is open while its source lacks a goal. Other edges can change nothing any more.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/memory_budget.h"
#include "base/status.h"
#include "liveness/recurrence/reach_fields.h"

namespace strata {

// On disk an edge is two numbers of 40 bits. No disk holds more states than 40 bits can number.
constexpr uint64_t kEdgeBytes = 10;
void encode_edge(uint64_t source, uint64_t target, uint8_t* record);

class EdgeChunk {
 public:
  static uint64_t bytes_of(uint64_t edges) { return edges * (sizeof(Edge) + sizeof(uint32_t)); }

  EdgeChunk(MemoryBudget& budget, uint64_t edges);
  bool open() const { return memory_.data() != nullptr; }
  uint64_t capacity() const { return capacity_; }

  void clear() { size_ = 0; }
  // On any thread; all together at most capacity() of them.
  void add(const uint8_t* records, uint64_t n);
  // Propagates goals backwards along the edges until nothing changes, or stopped() is true, which is called now and
  // then. Returns whether a state has got a goal.
  bool settle(ReachFields& reach, const std::function<bool()>& stopped);
  // Calls write(records, n) for the open edges, some at a time.
  using Write = std::function<Status(const uint8_t* records, uint64_t n)>;
  Status write_open(const ReachFields& reach, const Write& write) const;

 private:
  struct Edge {
    uint64_t source : 63;
    uint64_t waiting : 1;  // the mark
    uint64_t target;
  };
  bool take_back(const Edge& edge, ReachFields& reach);
  void push(uint64_t state);

  const uint64_t capacity_;
  const BudgetedBytes memory_;
  Edge* const edges_;
  uint32_t* const stack_;
  std::atomic<uint64_t> size_{0};
  uint64_t waiting_ = 0;
};

}  // namespace strata
