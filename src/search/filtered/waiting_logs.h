// The states of FilteredSearch that wait: W_p, a file for each partition p.
//
// Invariants
//  1. The partition of a state is given by the high bits of its key's hash.
//  2. What stands in W_p before begins_[p] was decided while other states of the partition began to wait.
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

  // States of a partition begin to wait. Thread-safe; how many of all partitions is noted apart, once for many.
  Status append(uint64_t partition, const uint8_t* states, uint64_t n) {
    return logs_[partition]->append(states, n);
  }
  void note_appended(uint64_t n) { count_.fetch_add(n, std::memory_order_relaxed); }

  // All of them, and those that have waited and were decided.
  uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  uint64_t decided() const { return decided_; }
  // What waits in one partition, or in all of them.
  LogRange range(uint64_t p) const { return {logs_[p].get(), begins_[p], logs_[p]->size(), p}; }
  std::vector<LogRange> ranges() const;
  // The largest number of one partition.
  uint64_t most() const;
  // Where the files end, and where what waits begins.
  LevelMarks::Row ends() const;
  uint64_t begin(uint64_t p) const { return begins_[p]; }

  // The ranges, from the first on, that are to be in a table for so many states together: as many as it
  // takes, or rather so few that it is fast; of the first one perhaps only a part. They are taken out of
  // `left`; empty ones are passed over.
  static std::vector<LogRange> take_together(std::vector<LogRange>& left, uint64_t capacity);
  static uint64_t states_in(const std::vector<LogRange>& ranges);

  // States that were decided, the first ones of their partition, go; others may begin to wait meanwhile.
  void drop(const LogRange& decided);
  // All of a partition were decided, or all that count of all partitions. Nobody appends meanwhile, here and below.
  void clear(uint64_t p);
  void clear();
  // Only so many count; the last ones will go without being decided.
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
