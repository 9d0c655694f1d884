// Every byte that grows with the state space is drawn from one MemoryBudget, which never lends more than --memory.
//
// Invariants
//  1. reserve() succeeds only if used() is then at most limit() and the overdraft that applies at that moment.
//  2. used() is the sum of what was reserved and is not released yet: nobody releases more than that (checked by
//     release()).
//
// Thread safety: any number of threads call any function.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/checks.h"

namespace strata {

class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t limit) : limit_(limit) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // Takes the bytes, or takes nothing and returns false when they would pass the limit.
  [[nodiscard]] bool reserve(uint64_t bytes) {
    uint64_t used = used_.load(std::memory_order_relaxed);
    do {
      const uint64_t limit = limit_ + overdraft_.load(std::memory_order_relaxed);
      if (bytes > limit || used > limit - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  // REQUIRES: the bytes were reserved, and are not released yet.
  void release(uint64_t bytes) {
    [[maybe_unused]] const uint64_t used = used_.fetch_sub(bytes, std::memory_order_relaxed);
    STRATA_CHECK(bytes <= used);
  }

  // Lends this many bytes beyond the limit from now on; 0: none. For the moment in which one structure replaces
  // another and both are in memory.
  void overdraw(uint64_t bytes) { overdraft_.store(bytes, std::memory_order_relaxed); }

  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0}, overdraft_{0};
};

// A short-lived buffer of zeros; its data() is null if the budget refused it.
class BudgetedBytes {
 public:
  BudgetedBytes(MemoryBudget& budget, uint64_t bytes) : budget_(budget), bytes_(bytes) {
    if (budget.reserve(bytes)) data_ = std::make_unique<uint8_t[]>(bytes);
  }
  ~BudgetedBytes() {
    if (data_) budget_.release(bytes_);
  }
  BudgetedBytes(const BudgetedBytes&) = delete;
  BudgetedBytes& operator=(const BudgetedBytes&) = delete;

  uint8_t* data() const { return data_.get(); }

 private:
  MemoryBudget& budget_;
  const uint64_t bytes_;
  std::unique_ptr<uint8_t[]> data_;
};

}  // namespace strata
