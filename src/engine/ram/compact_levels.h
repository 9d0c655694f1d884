// The levels of a search, read from a CompactTable, which does not keep them in order. One pass over the table gathers
// the states of as many levels as there is room for; a level that is larger than the room has a pass of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/number_list.h"
#include "base/worker_pool.h"
#include "engine/trace/trace_back.h"
#include "store/compact/compact_table.h"

namespace strata {

class CompactLevels final : public History {
 public:
  enum class Order { ascending, descending };

  // `sizes`: of all levels.
  CompactLevels(const CompactTable& table, const NumberList& sizes, Order order, WorkerPool& pool,
                MemoryBudget& budget);

  // REQUIRES: levels are visited in the given order.
  Status visit(uint64_t level, const Visit& visit) override;

 private:
  void take_room();
  void choose(uint64_t level);
  void gather();
  void visit_gathered(uint64_t level, const Visit& visit);
  void scan(uint64_t level, const Visit& visit);
  // Calls work(thread, shard) for each shard.
  template <class Work>
  void each_shard(const Work& work);

  const CompactTable& table_;
  const NumberList& sizes_;
  const Order order_;
  WorkerPool& pool_;
  MemoryBudget& budget_;
  uint64_t capacity_ = 0;  // keys
  std::unique_ptr<BudgetedBytes> room_;
  uint64_t first_ = 1, last_ = 0;  // the gathered levels
  std::vector<uint64_t> begins_;   // of each gathered level, and the end
};

}  // namespace strata
