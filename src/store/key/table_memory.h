// The memory of a table: zeros, drawn from a budget, in huge pages where it is large.
#pragma once

#include <cstdint>
#include <utility>

#include "base/memory_budget.h"
#include "base/system/memory_map.h"

namespace strata {

class TableMemory {
 public:
  static Result<TableMemory> create(uint64_t bytes, MemoryBudget& budget) {
    const uint64_t huge = bytes >= 2 * kHugePageBytes ? kHugePageBytes : kPageBytes;
    const uint64_t whole = round_up(bytes, kPageBytes);
    if (!budget.reserve(whole)) return Status::limit("the memory budget has no room for a table");
    Result<MemoryMap> map = MemoryMap::reserve(round_up(whole, huge));
    if (!map.ok() ||
        !map->commit(0, whole, huge == kPageBytes ? MemoryMap::Pages::small : MemoryMap::Pages::huge)) {
      budget.release(whole);
      return map.ok() ? Status::limit("the system has no memory for a table") : map.status();
    }
    return TableMemory(std::move(*map), whole, budget);
  }
  TableMemory(TableMemory&& other) noexcept
      : map_(std::move(other.map_)), bytes_(std::exchange(other.bytes_, 0)), budget_(other.budget_) {}
  TableMemory& operator=(TableMemory&&) = delete;
  ~TableMemory() { budget_->release(bytes_); }

  uint8_t* data() const { return map_.data(); }

 private:
  TableMemory(MemoryMap map, uint64_t bytes, MemoryBudget& budget)
      : map_(std::move(map)), bytes_(bytes), budget_(&budget) {}

  MemoryMap map_;
  uint64_t bytes_;
  MemoryBudget* budget_;
};

}  // namespace strata
