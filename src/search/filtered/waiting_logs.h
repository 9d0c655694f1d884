// The states of FilteredSearch that wait: W_p, a file for each partition p.
//
// Invariants
//  1. The partition of a state is given by the high bits of its key's hash.
//   2. The states of W_p before begins_[p] were decided while other states of the partition began to wait.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "engine/disk/disk_run.h"
#include "store/log/level_marks.h"

namespace strata {

class WaitingLogs {
 public:
  explicit WaitingLogs(DiskRun& run) : run_(run) {}

  // Makes the files.
  void open(uint64_t partitions, BlockPool& blocks);
  uint64_t partitions() const { return logs_.size(); }

  // States of a partition begin to wait. Thread-safe. note_appended() counts them, once for many partitions.
  Status append(uint64_t partition, const uint8_t* states, uint64_t n) {
    return logs_[partition]->append(states, n);
  }
  void note_appended(uint64_t n) { count_.fetch_add(n, std::memory_order_relaxed); }

  // How many states wait, and how many have waited and were decided.
  uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  uint64_t decided() const { return decided_; }
  // The waiting states of one partition, or of all.
  LogRange range(uint64_t p) const { return {logs_[p].get(), begins_[p], logs_[p]->size(), p}; }
  std::vector<LogRange> ranges() const;
  // How many states wait in the partition that has the most.
  uint64_t most() const;
  // Where the files end, and where the waiting states begin.
  LevelMarks::Row ends() const;
  uint64_t begin(uint64_t p) const { return begins_[p]; }

  // The first ranges, which are to be in a table for `capacity` states together: as many as the table takes, or fewer,
  // so that it is fast; of the first range perhaps only a part. They are taken out of `left`; empty ranges are passed
  // over.
  static std::vector<LogRange> take_together(std::vector<LogRange>& left, uint64_t capacity);
  static uint64_t states_in(const std::vector<LogRange>& ranges);

  // Removes states that were decided, the first ones of their partition; others may begin to wait at the same time.
  void drop(const LogRange& decided);
  // All states of a partition were decided, or all that count of all partitions. No thread may append, here and below.
  void clear(uint64_t p);
  void clear();
  // Only n states count; the last ones will be removed without being decided.
  void count_only(uint64_t n) { count_ = n; }

  // For a checkpoint.
  void serialize(Image& image);

 private:
  void forget(uint64_t p);

  DiskRun& run_;
  std::vector<std::unique_ptr<StateLog>> logs_;
  LevelMarks::Row begins_;
  std::atomic<uint64_t> count_{0};
  uint64_t decided_ = 0;
};

}  // namespace strata
