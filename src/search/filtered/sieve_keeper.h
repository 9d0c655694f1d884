// The sieve of FilteredSearch in the course of a search: how its memory is divided between filter and cache, when
// another division is worth its cost, and what both are taught when they were emptied. filtered_search.h says what V, W
// and the sieve are.
//
// A filter is good for the number of states that it was made for. With fewer than kCrowdedBits bits for each state
// it is crowded: it calls so many new states doubtful that a larger filter pays for reading all states again.
// A decision reads V anyway, so a new filter is made together with a decision, and learns V from what the
// decision reads.
//
// Invariants, between two calls of FilteredSearch
//  1. The filter knows all states of V and W: after make() by teach_all(), after divide() by learn() and teach_rest().
//  2. The cache has only states of V and W.
//  3. is_crowded() holds if V has reached `crowded_` states. That is more states than V had when the filter was taught,
//     or none: a filter that was crowded at once cannot be made better.
#pragma once

#include <memory>
#include <vector>

#include "search/filtered/decider.h"
#include "search/filtered/filtered_plan.h"
#include "search/filtered/visited_levels.h"
#include "search/filtered/waiting_logs.h"
#include "store/cache/state_sieve.h"

namespace strata {

class SieveKeeper {
 public:
  SieveKeeper(DiskRun& run, VisitedLevels& visited, WaitingLogs& waiting)
      : run_(run), visited_(visited), waiting_(waiting) {}

  // Makes the sieve, of `bytes` in all, for a search that has `visited` states.
  Status make(unsigned partition_bits, uint64_t bytes, uint64_t filter_bytes, uint64_t visited);
  // Frees its memory.
  void drop() { sieve_.reset(); }

  StateSieve& sieve() { return *sieve_; }
  uint64_t filter_bits() const { return sieve_->filter_bits(); }
  // The memory of the cache, in which waiting states can be decided.
  StateSieve::Memory cache_memory() const { return sieve_->cache_memory(); }
  // Whether the filter is so good that next to no new state is doubtful.
  bool is_precise() const;
  bool is_crowded() const { return visited_.states() >= crowded_; }
  // The filter stays as it is, although it is crowded.
  void tolerate_crowding() { crowded_ = UINT64_MAX; }
  // The bytes of a better filter, where a table of waiting states has `for_table` bytes at least; 0: the
  // filter is good.
  uint64_t better_filter(Outlook outlook, uint64_t for_table) const;
  // Divides the memory again if there is a better filter. Both parts are empty then, and have to be taught.
  bool divide(Outlook outlook, uint64_t for_table);

  // Teaches the filter all states, and the cache the last ones.
  void teach_all();
  // For a decision after divide(): teaches the filter the keys that the decision reads.
  Decider::Learn learn();
  // And then the rest: what was appended to V behind `ends` since, and partitions of which the decision read nothing.
  void teach_rest(const LevelMarks::Row& ends, const Decider& decider);
  // Teaches the cache the last states of the first partitions.
  void teach_recent(uint64_t partitions) { teach_visited(partitions, false); }

 private:
  uint64_t expected_states(Outlook outlook, uint64_t visited) const;
  void note_crowded();
  void teach_visited(uint64_t partitions, bool all);
  void teach(std::vector<LogRange> ranges, DiskRun::Records records, uint64_t recent);

  DiskRun& run_;
  VisitedLevels& visited_;
  WaitingLogs& waiting_;
  std::unique_ptr<StateSieve> sieve_;
  uint64_t crowded_ = UINT64_MAX;
};

}  // namespace strata
