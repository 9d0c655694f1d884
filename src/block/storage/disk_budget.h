// Every byte on disk is drawn from one DiskBudget, which never lends more than --disk-limit.
//
// Invariants
//  1. used() is at most peak(), and peak() at most limit().
//  2. used() is the sum of what was reserved and is not released yet: nobody releases more than that (checked by
//     release()).
//
// Thread safety: any number of threads call any function.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/checks.h"

namespace strata {

class DiskBudget {
 public:
  explicit DiskBudget(uint64_t limit = UINT64_MAX) : limit_(limit) {}
  DiskBudget(const DiskBudget&) = delete;
  DiskBudget& operator=(const DiskBudget&) = delete;

  // Takes the bytes, or takes nothing and returns false when they would pass the limit.
  [[nodiscard]] bool reserve(uint64_t bytes) {
    uint64_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > limit_ || used > limit_ - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    uint64_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < used + bytes &&
           !peak_.compare_exchange_weak(peak, used + bytes, std::memory_order_relaxed)) {
    }
    return true;
  }
  // REQUIRES: the bytes were reserved, and are not released yet.
  void release(uint64_t bytes) {
    [[maybe_unused]] const uint64_t used = used_.fetch_sub(bytes, std::memory_order_relaxed);
    STRATA_CHECK(bytes <= used);
  }

  // While no thread reserves bytes.
  std::string check_invariants() const {
    InvariantCheck check("DiskBudget");
    check.holds(1, used() <= peak() && peak() <= limit(), "used <= peak <= limit");
    return check.broken();
  }

  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0}, peak_{0};
};

}  // namespace strata
