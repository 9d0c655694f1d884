// The levels of a breadth-first search over a LevelTable. A shard keeps its states in order of discovery, so a level is
// one range of each shard. Only the sizes of the ranges are stored: two or three bytes for each shard that got a state.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/memory_budget.h"
#include "store/table/level_table.h"

namespace strata {

class LevelStack {
 public:
  LevelStack(const LevelTable& table, MemoryBudget& budget);
  ~LevelStack();
  LevelStack(const LevelStack&) = delete;
  LevelStack& operator=(const LevelStack&) = delete;

  // Whether states were inserted since the last push.
  bool grown() const;
  // Makes a level of these states. False: there are none, and no level is made.
  bool push() { return grown() && push_level(); }
  // The same, but makes an empty level if there are none.
  bool push_level();
  // Removes the top level; the one below becomes the top.
  void pop();

  uint64_t depth() const { return offsets_.size(); }  // number of levels
  uint64_t top_size() const;
  // The range of a shard in the top level.
  uint64_t begin(uint64_t shard) const { return begin_[shard]; }
  uint64_t end(uint64_t shard) const { return end_[shard]; }
  const std::vector<uint64_t>& begins() const { return begin_; }
  // Calls visit(shard, begin, end) for each shard's range, level by level from the first, and done() after each level.
  void for_each_level(const std::function<void(uint64_t shard, uint64_t begin, uint64_t end)>& visit,
                      const std::function<void()>& done) const;
  // The same, from the last level to the first.
  void for_each_level_back(
      const std::function<void(uint64_t shard, uint64_t begin, uint64_t end)>& visit) const;
  // True once the memory budget refused room for the levels themselves.
  bool out_of_memory() const { return out_of_memory_; }

 private:
  const LevelTable& table_;
  MemoryBudget& budget_;
  std::vector<uint64_t> begin_, end_;
  // A record for each level: pairs of (distance to the next shard with states, number of its states).
  std::vector<uint8_t> records_;
  std::vector<uint64_t> offsets_;
  uint64_t charged_ = 0;
  bool out_of_memory_ = false;
};

}  // namespace strata
