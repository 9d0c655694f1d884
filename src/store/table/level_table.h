// A visited set that is the queue of a breadth-first search, too: each shard has its states in order of
// insertion, so the states of a level are, in each shard, those between two sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "store/table/visited_set.h"

namespace strata {

class LevelTable : public VisitedSet {
 public:
  virtual uint64_t shard_count() const = 0;
  // The size may be asked while no inserter is at work, the states below it at any time; their addresses never change.
  virtual uint64_t shard_size(uint64_t shard) const = 0;
  virtual const uint8_t* state(uint64_t shard, uint64_t number) const = 0;
  // States lie one after another between multiples of this number.
  virtual uint64_t run_length() const = 0;

  // What is inserted from now on is of this level, and of each shard the states before these need not be
  // readable any more. Nobody may be at work.
  virtual void begin_level(uint64_t level, const std::vector<uint64_t>& done) = 0;
};

}  // namespace strata
