// A visited set that is also the queue of a breadth-first search: each shard has its states in order of insertion, so
// the states of a level are, in each shard, the states between two sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "store/table/visited_set.h"

namespace strata {

class LevelTable : public VisitedSet {
 public:
  virtual uint64_t shard_count() const = 0;
  // Thread safety: shard_size() requires that no inserter is at work; states below it may be read at any time. Their
  // addresses never change.
  virtual uint64_t shard_size(uint64_t shard) const = 0;
  virtual const uint8_t* state(uint64_t shard, uint64_t number) const = 0;
  // States whose numbers are between two multiples of this number are one after another in memory.
  virtual uint64_t run_length() const = 0;

  // States that are inserted from now on belong to this level. In shard i, the states before number done[i] are not
  // read any more. REQUIRES: no other thread uses the table.
  virtual void begin_level(uint64_t level, const std::vector<uint64_t>& done) = 0;
};

}  // namespace strata
