// Which blocks of a file occupy space, drawn from a DiskBudget. An Occupancy belongs to the name of a file, not to
// the File through which it is used: closing a file frees nothing, removing it does.
//
// Thread safety: all functions may be called by any thread.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "base/status.h"
#include "base/text/units.h"
#include "block/storage/disk_budget.h"

namespace strata {

// The error of a block that the budget has no room for.
inline Status disk_limit_reached(const DiskBudget& budget, const std::string& name, uint64_t block) {
  return Status::disk_full(
      fmt::format("the disk limit of {} is reached: {}: block {} would pass it; raise --disk-limit",
                  mebibytes_text(budget.limit()), name, block),
      Reason::disk_limit);
}

class Occupancy {
 public:
  Occupancy(DiskBudget& budget, uint64_t block_bytes) : budget_(budget), block_bytes_(block_bytes) {}
  ~Occupancy() { budget_.release(count_ * block_bytes_); }
  Occupancy(const Occupancy&) = delete;
  Occupancy& operator=(const Occupancy&) = delete;

  // False when the budget has no room for the block.
  [[nodiscard]] bool occupy(uint64_t block) {
    const MutexLock lock(mutex_);
    if (block < occupied_.size() && occupied_[block]) return true;
    if (!budget_.reserve(block_bytes_)) return false;
    if (block >= occupied_.size()) occupied_.resize(block + 1);
    occupied_[block] = true;
    ++count_;
    return true;
  }
  // False when the block was free already.
  bool vacate(uint64_t block) {
    const MutexLock lock(mutex_);
    if (block >= occupied_.size() || !occupied_[block]) return false;
    occupied_[block] = false;
    --count_;
    budget_.release(block_bytes_);
    return true;
  }
  uint64_t block_bytes() const { return block_bytes_; }
  Status limit_reached(const std::string& name, uint64_t block) const {
    return disk_limit_reached(budget_, name, block);
  }

 private:
  DiskBudget& budget_;
  const uint64_t block_bytes_;
  Mutex mutex_;
  std::vector<bool> occupied_ GUARDED_BY(mutex_);
  uint64_t count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace strata
