// Reads ranges of logs that grew side by side, in about the order in which their records came: a small share of each
// range in turn. One block of each range is in memory, and a few more that are read ahead, because the ranges reach the
// ends of their blocks at different times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/locks/mutex.h"
#include "block/io/block_buffer.h"
#include "store/log/state_scan.h"

namespace strata {

class BlendedScan {
 public:
  // The buffers that a scan of this many ranges needs.
  static uint64_t blocks_of(uint64_t ranges) { return ranges + std::max<uint64_t>(1, ranges / 4); }

  // Records that are appended during the scan are not part of it. REQUIRES: all logs have records and blocks of the
  // same size, and outlive the scan.
  BlendedScan(std::vector<LogRange> ranges, BlockBuffers& buffers);
  ~BlendedScan();

  uint64_t records() const { return records_; }
  // The records that next() has not given yet. REQUIRES: no thread calls next().
  std::vector<LogRange> rest() const;
  // Copies the next records, n at most, and returns how many; 0: the scan is at its end. Adds the time spent waiting
  // for the disk to `waited`. Thread safety: any number of threads.
  Result<uint64_t> next(uint8_t* to, uint64_t n, double& waited);

 private:
  static constexpr uint64_t kShare = 64, kNone = UINT64_MAX;
  struct Slot {
    uint8_t* buffer = nullptr;
    Transfer transfer;
    uint64_t block = 0;
    bool ready = false;
  };
  struct Lane {
    LogRange range;
    uint64_t next = 0;                        // record
    uint64_t current = kNone, ahead = kNone;  // slots
  };

  // Batches the reads of one call.
  Submitter* carrier() const REQUIRES(mutex_) {
    return lanes_.empty() ? nullptr : lanes_.front().range.log->carrier();
  }
  uint64_t fetch(Lane& lane, uint64_t block) REQUIRES(mutex_);
  Status open_block(Lane& lane, double& waited) REQUIRES(mutex_);
  void read_ahead(Lane& lane) REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::unique_ptr<Slot[]> slots_;
  const uint64_t slot_count_;
  std::vector<uint64_t> free_ GUARDED_BY(mutex_);
  std::vector<Lane> lanes_ GUARDED_BY(mutex_);  // those that have records left
  // Whose turn it is, and how many of its records.
  uint64_t turn_ GUARDED_BY(mutex_) = 0, share_left_ GUARDED_BY(mutex_) = kShare;
  uint64_t records_ = 0;
};

}  // namespace strata
