// The part of `auto` on disk: breadth-first search with a filter in RAM that recognises most new states at
// once. auto.cc has the idea and the costs.
//
//   V        visited states, level by level (visited_levels.h)
//   W        states that wait: probably visited before, but the filter is not sure (waiting_logs.h)
//   sieve    a cache of recent states, and a filter of all states (store/cache/state_sieve.h, sieve_keeper.h)
//
//   EXPAND   successors that the sieve calls seen are dropped. Fresh ones are new: they go to V, where the next level
//            finds them. Doubtful ones go to W.
//   DECIDE   the states of W that are new go to V, as a part of the next level (decider.h). decision_schedule.h says
//            when: when half as many states wait as were visited, when nothing else is left to expand, and, where
//            levels are exact, at the end of every level.
//
// Invariants
//  1. V and W are divided into the same partitions by hash, the regions of the sieve.
//  2. The filter knows every state of V and W. So a state that it does not know is new.
//   3. A state that the cache of the sieve or of a thread calls seen is in V or in W, unless it was dropped by looking
//      ahead; then both caches forget.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/disk/blended_expander.h"
#include "engine/redistribute/redistribution.h"
#include "search/filtered/background_decider.h"
#include "search/filtered/decider.h"
#include "search/filtered/decision_schedule.h"
#include "search/filtered/filtered_plan.h"
#include "search/filtered/sieve_keeper.h"
#include "search/filtered/visited_levels.h"
#include "store/key/thread_cache.h"

namespace strata {

class FilteredSearch {
 public:
  // `waiting`: how many states may wait for each visited one before they are decided.
  FilteredSearch(DiskRun& run, bool exact_levels, double waiting);

  // How many successors its threads need room for.
  uint64_t batch() const { return sizes_.batch; }

  // Makes the run folder and the visited files.
  Status open();
  // States that another search has visited, level by level. Thread-safe, each thread with its own number.
  void append_visited(unsigned thread, const uint8_t* states, uint64_t n) {
    visited_.append(thread, states, n);
  }
  // Makes a level of the states appended since the last call. States of it that are still to be expanded must come
  // last, behind the call of begin_unexpanded().
  void end_visited_level() {
    if (!visited_.push_level()) visited_.push_empty_level();
  }
  void begin_unexpanded() { unexpanded_begin_ = visited_.ends(); }

  // Makes the filter and the cache, in all the memory that is left. restore(), if given, is called between them and the
  // files; the search then continues from the restored state.
  Status prepare(const std::function<Status()>& restore = nullptr);
  // For a checkpoint.
  void serialize(Image& image);
  // Late states were found before the search came to disk.
  void continue_late(const LevelExcess& excess) { schedule_.continue_late(excess); }
  // `unexpanded`: states of the last level that the other search had not expanded; `successors`: states of the next
  // level that may be new or not. If there is no level, the search begins with the initial states.
  void search(const std::vector<uint8_t>& unexpanded, const std::vector<uint8_t>& successors);
  // The same with states that other ranks saved: all but those that may be new or not were appended; these come now.
  void store_waiting(Redistribution& states);
  void search_regrouped();
  // Continues from where it was restored.
  void search_on();
  // Instead of prepare(): restores a checkpoint by restore(), and gives all states to `to`.
  Status give(const std::function<Status()>& restore, StateSink& to);
  Result<SearchResult> finish();

 private:
  // What a thread needs to send states to their partitions.
  struct alignas(128) Thread {
    ThreadCache<KeyBytes> latest;
    UntouchedVector<StateSieve::Answer> answers;
    uint64_t fresh = 0, doubtful = 0;  // of a batch
  };

  // What becomes of states that are surely new: they are visited, or they wait too.
  enum class Fresh { visited, waiting };

  // EXPAND
  bool store(DiskWorker& worker, Batch& batch, Fresh fresh = Fresh::visited);
  Status store_group(Thread& own, OrderedBatch& ordered, const StateSieve::Group& group, const Batch& batch,
                     Fresh fresh);
  void store_all(Batch batch);
  bool store_arrivals(SearchWorker& base);
  void expand_in_hand(const std::vector<uint8_t>& states);
  void expand_level(const std::vector<LogRange>& level);
  void expand_waiting(const std::vector<LogRange>& waiting);
  void end_level();
  bool next_level();
  void begin_sweeps();
  void search_levels();
  std::vector<LogRange> without_rest(const std::vector<LogRange>& level) const;

  DiskRun& run_;
  const bool exact_levels_;
  unsigned partition_bits_ = 0;
  DiskSizes sizes_;
  VisitedLevels visited_;
  WaitingLogs waiting_;
  Decider decider_;
  BackgroundDecider background_;
  std::vector<std::unique_ptr<Thread>> threads_;
  LevelMarks::Row unexpanded_begin_;  // in the level that another search had begun
  std::unique_ptr<BlendedBuffers> level_buffers_;
  SieveKeeper keeper_;
  DecisionSchedule schedule_;

  uint64_t level_ = 0;          // being expanded
  std::vector<LogRange> rest_;  // of it, when the threads are idle
};

}  // namespace strata
