// Which blocks of a file occupy space, drawn from a DiskBudget. Thread-safe. It belongs to the name of a file, not to
// the File through which it is used: closing a file frees nothing, removing it does.
#pragma once

#include <fmt/format.h>

#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/text/units.h"
#include "block/storage/disk_budget.h"

namespace strata {

// What to say when the budget has no room for a block.
inline Status disk_limit_reached(const DiskBudget& budget, const std::string& name, uint64_t block) {
  return Status::disk_full(
      fmt::format("the disk limit of {} is reached: {}: block {} would pass it; raise --disk-limit",
                  mebibytes_text(budget.limit()), name, block));
}

class Occupancy {
 public:
  Occupancy(DiskBudget& budget, uint64_t block_bytes) : budget_(budget), block_bytes_(block_bytes) {}
  ~Occupancy() { budget_.release(count_ * block_bytes_); }
  Occupancy(const Occupancy&) = delete;
  Occupancy& operator=(const Occupancy&) = delete;

  // False when the budget has no room for the block.
  [[nodiscard]] bool occupy(uint64_t block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (block < occupied_.size() && occupied_[block]) return true;
    if (!budget_.reserve(block_bytes_)) return false;
    if (block >= occupied_.size()) occupied_.resize(block + 1);
    occupied_[block] = true;
    ++count_;
    return true;
  }
  // False when it was free already.
  bool vacate(uint64_t block) {
    const std::lock_guard<std::mutex> lock(mutex_);
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
  std::mutex mutex_;
  std::vector<bool> occupied_;
  uint64_t count_ = 0;
};

}  // namespace strata
