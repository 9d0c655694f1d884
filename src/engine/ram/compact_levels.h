// The levels of a search, out of a CompactTable, which does not have them in order: of as many levels as
// there is room for, the states are gathered in one pass over the table; a level that is larger than that has
// a pass of its own.
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

  // The sizes are those of all levels.
  CompactLevels(const CompactTable& table, const NumberList& sizes, Order order, WorkerPool& pool,
                MemoryBudget& budget);

  // Levels are asked for in order.
  Status visit(uint64_t level, const Visit& visit) override;

 private:
  void take_room();
  void choose(uint64_t level);
  void gather();
  void visit_gathered(uint64_t level, const Visit& visit);
  void scan(uint64_t level, const Visit& visit);
  // Calls work(thread, shard) for all shards.
  template <class Work>
  void each_shard(const Work& work);

  const CompactTable& table_;
  const NumberList& sizes_;
  const Order order_;
  WorkerPool& pool_;
  MemoryBudget& budget_;
  uint64_t capacity_ = 0;  // keys
  std::unique_ptr<BudgetedBytes> room_;
  uint64_t first_ = 1, last_ = 0;  // the levels that are gathered
  std::vector<uint64_t> begins_;   // of each of them, and the end
};

}  // namespace strata
