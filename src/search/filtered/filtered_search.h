// The part of `auto` on disk: breadth-first search with a filter in RAM that knows most new states at once. auto.cc has the
// idea and the costs.
//
//   V_p      visited states of partition p (by hash), in the order in which they were found; a level is a range of each
//   W_p      states that wait: probably visited before, but the filter is not sure
//   sieve    a cache of states met lately, and a filter of all states met (store/state_sieve.h)
//   H        a table that is there only while waiting states are decided
//
//   EXPAND   successors that the sieve calls met are dropped. Fresh ones are new: they go to V_p, where the next level finds
//            them. Doubtful ones go to W_p.
//   DECIDE   for each p: W_p to H; erase V_p from H; what is left is new: it goes to V_p, as a part of the next level.
//
// It is decided when W is half as large as V, when nothing else is left to expand, and, where levels are to be exact, at the
// end of every level. When little waits and nothing else is left, as happens again and again at the end of a search, the
// successors of waiting states are made to wait too, and theirs, generation by generation: whether a waiting state is new or
// not, they are reachable, and one decision finds what would have taken several. Generations that are new become levels one
// after another, so each state's parent is in an earlier level.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "explore/disk/blended_expander.h"
#include "search/filtered/filtered_plan.h"
#include "store/cache/latest_keys.h"
#include "store/cache/state_sieve.h"
#include "store/log/level_marks.h"
#include "store/set/waiting_set.h"

namespace strata {

class FilteredSearch {
 public:
  FilteredSearch(DiskRun& run, bool exact_levels);

  // How many successors its threads need room for.
  uint64_t batch() const { return sizes_.batch; }

  // Makes the run folder and the visited files.
  Status open();
  // States that another search has visited, level by level. Thread-safe, each thread with its own number.
  void append_visited(unsigned thread, const uint8_t* states, uint64_t n);
  // What was appended since the last call is a level. Then its states that are still to be expanded have to come last, and
  // begin where begin_unexpanded() was called.
  void end_visited_level();
  void begin_unexpanded() { unexpanded_begin_ = sizes_now(); }

  // The filter and the cache, from all the memory that is left.
  Status prepare();
  // What the other search had in hand: states of the last level that are still to be expanded, and states of the next one
  // that may be new or not. Without a level, the latter are the initial states.
  void search(const std::vector<uint8_t>& unexpanded, const std::vector<uint8_t>& successors);
  Result<SearchResult> finish();

 private:
  struct Partition {
    std::unique_ptr<VisitedLog> visited;
    std::unique_ptr<StateLog> waiting;
  };
  // What a thread needs to send states to their partitions.
  struct alignas(128) Thread {
    Thread(StoreMode mode, uint64_t state_bytes) : keys(mode, state_bytes) {}
    KeyMaker keys;
    LatestKeys latest;
    // A batch ordered by partition: where each state stands in the batch, and its hash; where each partition's part begins.
    UntouchedVector<uint32_t> unordered, places;
    UntouchedVector<uint64_t> hashes;
    std::vector<uint32_t> starts;
    UntouchedVector<StateSieve::Answer> answers;
    UntouchedVector<uint8_t> states, signatures;
    uint64_t fresh = 0, doubtful = 0;  // of a batch
  };

  // What becomes of states that are surely new: they are visited, or they wait too.
  enum class Fresh { visited, waiting };

  uint64_t partition_of(uint64_t hash) const {
    return partition_bits_ == 0 ? 0 : hash >> (64 - partition_bits_);
  }
  template <class Wanted>
  void order_by_partition(Thread& own, const Keys& keys, const Wanted& wanted);
  StateSieve::Group group(const Thread& own, uint64_t partition) const {
    const uint64_t begin = own.starts[partition];
    return {partition, own.places.data() + begin, own.hashes.data() + begin,
            own.starts[partition + 1] - begin};
  }
  template <class Chosen>
  uint64_t gather(Thread& own, const StateSieve::Group& group, const Keys& keys, const uint8_t* states,
                  bool signatures, const Chosen& chosen);
  Status store_group(Thread& own, const StateSieve::Group& group, const Keys& keys, const uint8_t* states,
                     Fresh fresh);
  LevelMarks::Row sizes_now() const;
  std::vector<LogRange> ranges(const LevelMarks::Row& begins, const LevelMarks::Row& ends) const;

  uint64_t filter_bytes(uint64_t memory, Outlook outlook) const {
    return strata::filter_bytes(memory, visited_, outlook);
  }
  void teach_sieve();
  void teach_visited(uint64_t partitions, bool all);
  void teach_sieve(std::vector<LogRange> ranges, DiskRun::Records records, uint64_t recent);
  bool store(DiskWorker& worker, Batch& batch, Fresh fresh = Fresh::visited);
  void store_all(Batch batch);
  void expand_in_hand(const std::vector<uint8_t>& states);
  void expand_level(const std::vector<LogRange>& level);
  void end_level();
  void discard_level();
  bool next_level();
  bool push_level() { return push_level(sizes_now()); }
  bool push_level(const LevelMarks::Row& ends);

  uint64_t waiting_limit() const;
  void look_ahead();
  void expand_waiting(const std::vector<LogRange>& waiting);
  std::vector<LogRange> waiting_ranges(uint64_t generation, uint64_t first, uint64_t end) const;
  uint64_t capacity(WaitingSet::Labels labels) const;
  bool divide_sieve(Outlook outlook, uint64_t table_bytes);
  void make_room();
  void decide(Outlook outlook = Outlook::goes_on);
  void decide_in_parts();
  void decide_generations();
  void decide_generations(uint64_t first, uint64_t end, std::vector<LevelMarks::Row>& ends);
  void begin_table(uint64_t waiting);
  void add_waiting(const std::vector<LogRange>& waiting, uint8_t label);
  void erase_visited(const std::vector<LogRange>& waiting);
  void append_new(const std::vector<LogRange>& waiting, uint8_t label);
  void append_left(uint8_t label);
  void append_taken(const std::vector<LogRange>& waiting);
  void note_oldest();
  void note_late(uint64_t states, uint64_t last_level);
  uint64_t longer_by(const Counterexample& counterexample) const;
  Result<std::vector<LogRange>> level_ranges(uint64_t level) const;

  DiskRun& run_;
  const bool exact_levels_;
  unsigned partition_bits_ = 0;
  DiskSizes sizes_;
  std::vector<Partition> partitions_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::unique_ptr<StateLog> marks_log_;
  std::unique_ptr<LevelMarks> marks_;
  LevelMarks::Row unexpanded_begin_;  // in the level that another search had begun
  std::unique_ptr<BlendedBuffers> level_buffers_;
  std::unique_ptr<StateSieve> sieve_;
  std::unique_ptr<WaitingSet> table_;

  uint64_t level_ = 0;  // being expanded
  std::vector<uint64_t> level_sizes_;
  std::atomic<uint64_t> visited_{0}, waiting_{0};
  uint64_t crowded_ = UINT64_MAX;  // visited states for which the filter is too small, if it can be larger
  std::vector<LevelMarks::Row> generations_;  // the ends of each one in W; none: nothing was looked ahead
  bool dropped_ = false;                      // some of what was looked ahead
  uint64_t decisions_ = 0, waited_ = 0, late_ = 0;
  // By how much a state's level may be larger than its distance: in the level at hand, in the next one, and in the level
  // whose successors wait the longest.
  uint64_t excess_ = 0, next_excess_ = 0, oldest_waiting_ = 0, excess_of_oldest_ = 0;
};

// Copies the states of a group for which chosen(i) is true to own.states, and their signatures if asked for; how many.
template <class Chosen>
uint64_t FilteredSearch::gather(Thread& own, const StateSieve::Group& group, const Keys& keys,
                                const uint8_t* states, bool signatures, const Chosen& chosen) {
  const uint64_t bytes = run_.state_bytes();
  own.states.resize(group.count * bytes);
  if (signatures) own.signatures.resize(group.count * keys.key_bytes);
  uint64_t count = 0;
  for (uint64_t i = 0; i < group.count; ++i) {
    if (!chosen(i)) continue;
    copy_bytes(own.states.data() + count * bytes, states + group.places[i] * bytes, bytes);
    if (signatures)
      copy_bytes(own.signatures.data() + count * keys.key_bytes, keys.key(group.places[i]), keys.key_bytes);
    ++count;
  }
  return count;
}

}  // namespace strata
