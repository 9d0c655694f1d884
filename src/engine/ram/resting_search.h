// A breadth-first search that rests for a checkpoint, as RamImage writes it: level by level, whole states. Searches in
// RAM and on a device are saved in this form, so that each can continue what the other has begun.
#pragma once

#include <cstdint>
#include <vector>

#include "base/number_list.h"
#include "engine/trace/trace_back.h"

namespace strata {

class RestingSearch {
 public:
  virtual ~RestingSearch() = default;

  // Of all levels up to the one at hand.
  virtual const NumberList& level_sizes() const = 0;
  // Call visit(thread, states, count) for states, on any threads: those of the levels before the last one, level by
  // level from `first` on; and of the last level the expanded ones, then the open ones; and those found for the next.
  virtual void visit_levels(uint64_t first, const History::Visit& visit) = 0;
  virtual void visit_expanded(const History::Visit& visit) = 0;
  virtual void visit_open(const History::Visit& visit) = 0;
  virtual void visit_next(const History::Visit& visit) = 0;

  // What threads had in hand when the memory was full.
  struct Rest {
    std::vector<uint8_t> unexpanded;  // states of the level, also visited as expanded ones
    std::vector<uint8_t> refused;     // successors, of the next level, that found no room
  };
  virtual Rest copy_rest() const { return {}; }
};

}  // namespace strata
