// The visited states of FilteredSearch: V_p, a file for each partition p, and where the levels end in them.
//
// Invariants
//  1. The partition of a state is given by the high bits of its key's hash.
//  2. V_p has each state of its partition once, in the order in which they were found; a level is a range of each V_p.
//   3. States behind the end of the last level were found since; push_level() makes them a level.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "engine/disk/disk_run.h"
#include "search/filtered/ordered_batch.h"
#include "store/log/level_marks.h"
#include "store/set/waiting_set.h"

namespace strata {

class VisitedLevels {
 public:
  explicit VisitedLevels(DiskRun& run) : run_(run) {}

  // Makes the files of 2^partition_bits partitions.
  void open(unsigned partition_bits);

  uint64_t partitions() const { return logs_.size(); }
  VisitedLog& operator[](uint64_t partition) { return *logs_[partition]; }
  // All states, also those that are not in a level yet.
  uint64_t states() const { return states_.load(std::memory_order_relaxed); }

  // Appends new states. Thread-safe, each thread with its own number.
  void append(unsigned thread, const uint8_t* states, uint64_t n);
  // Appends the states with a label that are left in some buckets of a table whose keys are states; returns how many.
  uint64_t append_left(unsigned thread, const WaitingSet& table, uint64_t begin, uint64_t end, uint8_t label);
  // For threads that append to the files of some partitions: the thread's batch, and how many states were appended.
  OrderedBatch& batch(unsigned thread) { return threads_[thread]->batch; }
  void note_appended(uint64_t n) { states_.fetch_add(n, std::memory_order_relaxed); }

  // The sizes of all levels.
  const NumberList& sizes() const { return sizes_; }
  uint64_t levels() const { return sizes_.size(); }
  // Makes a level of the states found since the last one, or of those up to these ends; false if there are none.
  bool push_level() { return push_level(ends()); }
  bool push_level(const LevelMarks::Row& ends);
  // Makes a level without states: other ranks have some in it.
  void push_empty_level();
  // Where the files end.
  LevelMarks::Row ends() const;
  Result<std::vector<LogRange>> level(uint64_t level) const;
  // The last level, from these places on.
  std::vector<LogRange> last_level(const LevelMarks::Row& begins) const;
  // The states found since the last level.
  std::vector<LogRange> beyond_levels() const;
  void serialize(Image& image);
  // Gives back the space of the states of a level and of all before: their signatures stay, and no path is wanted.
  void discard(uint64_t level);

 private:
  struct alignas(128) Thread {
    Thread(StoreMode mode, uint64_t state_bytes, unsigned partition_bits)
        : keys(mode, state_bytes), batch(state_bytes, partition_bits) {}
    KeyMaker keys;
    OrderedBatch batch;
    std::vector<uint8_t> left;
  };

  std::vector<LogRange> ranges(const LevelMarks::Row& begins, const LevelMarks::Row& ends) const;

  DiskRun& run_;
  std::vector<std::unique_ptr<VisitedLog>> logs_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::unique_ptr<StateLog> marks_log_;
  std::unique_ptr<LevelMarks> marks_;
  NumberList sizes_;
  std::atomic<uint64_t> states_{0};
};

}  // namespace strata
