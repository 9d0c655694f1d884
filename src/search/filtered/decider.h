// Decides which waiting states of FilteredSearch are new.
//
//   W_p   states of partition p that wait: probably visited before, but the filter is not sure
//   H     a table that exists only while states are decided, in memory that is lent for it
//
//   DECIDE   for each p: W_p to H; erase V_p from H; what is left is new and goes to V_p. Then W is empty.
//
// H takes the waiting states of several small partitions at once, or a large partition in several parts.
//
// Looking ahead. When few states wait and nothing else is left to expand, as happens again and again at the end of a
// search, the successors of waiting states are made to wait too, and theirs, generation by generation: a waiting state
// is reachable whether it is new or not, and one decision finds what would have taken several. Generations that are new
// become levels one after another, so each state's parent is in an earlier level. In H each state has the number of its
// first generation.
//
// Invariants
//   1. A waiting state is not lost: it stays in W until it is decided. Only states that were found by looking ahead may
//      be dropped; they are found again as successors of the others.
//   2. Without generations, all of W waits. With them, W_p waits up to the end of the last generation; states behind
//      that end were dropped.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "search/filtered/visited_levels.h"
#include "search/filtered/waiting_logs.h"
#include "store/set/waiting_set.h"

namespace strata {

class Decider {
 public:
  // W has as many partitions as V. `share`: how many states may wait for each visited one.
  Decider(DiskRun& run, VisitedLevels& visited, WaitingLogs& waiting, double share = kUsualShare)
      : run_(run), visited_(visited), waiting_(waiting), share_(share) {}

  // How many states may wait, with a table of this many bytes, before it is time to decide: half as many as were
  // visited, or fewer, so that those of each partition fit into the table at once, but at least a quarter. These are
  // the numbers for a share of a half; another share changes them in proportion.
  uint64_t limit(uint64_t table_bytes) const;

  // Makes successors of waiting states wait too, as long as that pays and a table of this many bytes takes them. Expand
  // gives the successors of some states to append().
  using Expand = std::function<void(const std::vector<LogRange>&)>;
  void look_ahead(uint64_t table_bytes, const Expand& expand);
  // Whether some states that were found by looking ahead were dropped. They may be new, so no cache may call them seen.
  bool dropped() const { return dropped_; }

  // The bytes of a table for all states that wait in one partition.
  uint64_t table_bytes() const;
  // Decides all waiting states, with a table in this memory. Fails if that is too small. `learn` is called for visited
  // states that are read, once for each, by any thread; learned(p) says whether those of partition p were read.
  using Learn = std::function<void(unsigned thread, uint64_t partition, const Keys& keys)>;
  Status decide(uint8_t* memory, uint64_t bytes, Learn learn = nullptr);
  bool learned(uint64_t partition) const { return learned_[partition]; }
  // Decides a few partitions that have waiting states, from this one on; behind the last partition comes the first.
  // Nothing may have been looked ahead. Returns the next partition.
  Result<uint64_t> decide_some(uint64_t partition, uint8_t* memory, uint64_t bytes);

  // For a checkpoint. Nothing may have been looked ahead.
  void serialize(Image& image);

  uint64_t decisions() const { return decisions_; }

 private:
  static constexpr double kUsualShare = 0.5;

  uint64_t capacity(WaitingSet::Labels labels, uint64_t bytes) const {
    return WaitingSet::capacity(run_.key_bytes(), labels, bytes);
  }
  WaitingSet::Labels labels() const {
    return generations_.empty() ? WaitingSet::Labels::none : WaitingSet::Labels::bytes;
  }
  std::vector<LogRange> generation(uint64_t number, const std::vector<LogRange>& waiting) const;

  Status make_table(uint8_t* memory, uint64_t bytes);
  void decide_in_parts(std::vector<LogRange> waiting);
  void decide_generations();
  void decide_generations(const std::vector<LogRange>& waiting, std::vector<LevelMarks::Row>& ends);
  void begin_table(const std::vector<LogRange>& waiting);
  void add_waiting(const std::vector<LogRange>& waiting, uint8_t label);
  void erase_visited(const std::vector<LogRange>& waiting);
  void append_new(const std::vector<LogRange>& waiting, uint8_t label);
  void append_left(uint8_t label);
  void append_taken(const std::vector<LogRange>& waiting);

  DiskRun& run_;
  VisitedLevels& visited_;
  WaitingLogs& waiting_;               // W
  std::unique_ptr<WaitingSet> table_;  // H
  const double share_;
  std::vector<LevelMarks::Row>
      generations_;  // the end of each generation in W; none: nothing was looked ahead
  bool dropped_ = false;
  Learn learn_;
  std::vector<bool> learned_;  // by partition: whether learn_ got its states
  uint64_t decisions_ = 0;
};

}  // namespace strata
