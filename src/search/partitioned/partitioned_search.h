// Breadth-first search with the visited states in N files, by their hash: Evangelista, "Dynamic delayed duplicate
// detection for external memory model checking" (SPIN 2008), figures 2 and 3. `hddd` and `dddd` are this search with
// different answers to one question, which is an interface: is it time for a duplicate detection?
//
//   V_p   visited states of partition p, level by level
//   C_p   candidates of earlier levels that were expanded without having been compared with V_p
//   T_p   successors found while the present level is expanded
//   cache a table that forgets, before T
//   H     a table of the keys of one partition, or of several small ones at once
//
//   EXPAND   successors not in the cache go to T_p
//   MERGE    without detection: what is different in T_p goes to C_p, and is expanded next
//            with detection: C_p and T_p to H; erase V_p from H; append what is left to V_p; what came from T_p is
//            expanded next
//
// Differences from figure 3. The figure writes a state to T when the cache forgets it, or at the level's end; here a
// state is written when it enters the cache: it is written once either way, and the flag `stored` is not needed. The
// queue files Q_p are ranges of V_p or C_p. H takes as many partitions at a time as fit, and a partition that is too
// large for it in several pieces. The states left in H are found by reading C_p and T_p again, in the order of their
// levels, so V_p is in the order of levels too, and the first occurrence of a state, which has its true distance,
// counts.
//
// A state at distance d is in the front at level d, whatever was delayed, so levels, depth and counterexamples are
// those of breadth-first search.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "engine/disk/level_expander.h"
#include "search/partitioned/partitioned_plan.h"
#include "search/partitioned/typical_lengths.h"
#include "store/cache/lossy_cache.h"
#include "store/log/level_marks.h"

namespace strata {

// What is known before MERGE, when a new level is in T.
struct MergeView {
  uint64_t visited = 0;              // |V|
  std::vector<uint64_t> candidates;  // the sizes of the levels in C
  uint64_t front = 0;                // the size of T without duplicates, perhaps an estimate
  double degree = 0;                 // transitions by expansions
  // Seconds to read a state back, to write one, to expand one, as measured so far; 0: not measured yet.
  double read_cost = 0, write_cost = 0, expand_cost = 0;
};

class DetectionPolicy {
 public:
  virtual ~DetectionPolicy() = default;
  virtual bool detect(const MergeView& view) = 0;
  // The sizes of all levels up to now, after a detection.
  virtual void measured(const NumberList& level_sizes) = 0;
  // For a checkpoint.
  virtual void serialize(Image& /*image*/) {}
};

struct PartitionOptions {
  uint64_t partitions = 0;  // 0: from the budget
  uint64_t partial = 0;     // how many typical lengths a delayed detection compares with
};

class PartitionedSearch {
 public:
  PartitionedSearch(DiskRun& run, DetectionPolicy& policy, const PartitionOptions& options);

  Status prepare();
  // The initial states, or a checkpoint of it.
  Status begin();
  void search();
  Result<SearchResult> finish();

  // The same in steps, for searches that look at the levels: the initial states; one more level (false: there is none,
  // or the search is to end); at the end, a detection for the delayed states. All levels are known while nothing is
  // delayed.
  void begin_anew();
  bool advance();
  void decide_all();
  bool nothing_waits() const { return pending() == 0; }
  const NumberList& level_sizes() const { return level_sizes_; }
  Result<std::vector<LogRange>> level_ranges(uint64_t level);
  // For a checkpoint of a search of which this one is a part.
  void serialize(Image& image);
  // All visited states, when nothing is delayed.
  std::vector<LogRange> visited_ranges();
  // Gives the memory of cache and table to others, and takes it back. No level can be expanded in between.
  void release_tables();
  Status make_tables();
  PartitionedPlan plan_memory(const PlanInput& input) const {
    return plan_partitioned(input, options_.partitions);
  }

 private:
  // A part of T_p or C_p: which partition, and which of the levels since the last detection (0: the oldest).
  struct Piece {
    LogRange range;
    uint64_t partition = 0, age = 0;
  };
  struct Partition {
    std::unique_ptr<VisitedLog> visited, candidates;
    std::unique_ptr<StateLog> fresh;  // T
  };

  bool store(DiskWorker& worker, Batch& batch);
  void expand_level();
  void merge(bool forced);
  MergeView view(double multiplicity, uint64_t fresh);
  void delay_level(std::vector<std::vector<Piece>> chunks);
  void detect_level(std::vector<std::vector<Piece>> chunks);
  std::vector<std::vector<Piece>> plan(bool with_candidates) const;
  void load(const std::vector<Piece>& pieces);
  void detect(const std::vector<Piece>& pieces, std::vector<LevelMarks::Row>& ends);
  void erase_visited(const std::vector<Piece>& pieces);
  void erase_typical(const std::vector<Piece>& pieces, const LevelMarks::Row& begins);
  void take(const std::vector<Piece>& pieces, uint64_t age, bool to_visited);
  void finish_detection(const std::vector<LevelMarks::Row>& ends);
  uint64_t read_of_length(uint64_t length, uint64_t front) const;
  uint64_t partition_of(uint64_t hash) const { return scale_high_bits(hash, partitions_.size()); }
  uint64_t pending() const { return candidate_ends_.size(); }

  DiskRun& run_;
  DetectionPolicy& policy_;
  const PartitionOptions options_;
  std::vector<Partition> partitions_;
  std::unique_ptr<StateLog> marks_log_;
  std::unique_ptr<LevelMarks> marks_;  // of the visited states
  std::unique_ptr<LossyCache> cache_;
  std::unique_ptr<CandidateSet> table_;
  std::vector<LevelMarks::Row> candidate_ends_;  // of the levels in C, since the last detection
  std::vector<LogRange> front_;                  // to be expanded
  uint64_t level_ = 0;                           // of the front
  bool in_level_ = false;                        // the front is what is left of its level
  bool bound_ = false;                           // the last level that --bound allows is expanded
  NumberList level_sizes_;                       // of the levels up to the last detection
  std::optional<TypicalLengths> lengths_;
  std::vector<uint64_t> worthwhile_;  // lengths
  uint64_t full_ = 0, partial_ = 0, delayed_ = 0;
  std::atomic<uint64_t> records_read_{0}, records_written_{0};
};

}  // namespace strata
