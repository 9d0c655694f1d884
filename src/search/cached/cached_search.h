// Cached breadth-first search (CBF): Tronci, Della Penna, Intrigila, Venturini Zilli, "Exploiting transition
// locality in automatic verification" (CHARME 2001). Breadth-first search with its queue on disk and, in
// place of the table of visited states, a cache table: a state that finds no place replaces another one,
// which may be visited again later.
//
// A state that was forgotten and is visited again is expanded again, so the search of the paper may never end. It is
// stopped when the collision rate, states forgotten by states inserted, exceeds a threshold gamma. It can be stopped
// only between levels, where its state is easy to write down: the queue (the level to expand), the table, and some
// numbers.
//
// Where we differ: with a large gamma the search would still not end. So each time that the number of inserted states
// has doubled, they are sorted, for which the table is emptied. If all states of the level to expand were inserted
// before, all states are known and were expanded; and if states were inserted kMostRepeats times on average, the search
// stops.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/disk/level_expander.h"
#include "store/cache/lossy_cache.h"

namespace strata {

struct CachedPlan {
  MemoryPlan shares;
  DiskSizes disk;
  uint64_t cache = 0;  // bytes of the cache table
};

class CachedSearch {
 public:
  CachedSearch(DiskRun& run, double gamma) : run_(run), gamma_(gamma) {}

  static constexpr uint64_t kLogs = 2;

  void make_files() { inserted_ = run_.make_visited("queue"); }
  // Draws the cache table from the memory.
  Status prepare(uint64_t cache_bytes);
  // From the initial states, or from a checkpoint.
  Status begin();
  void begin_anew();
  // For a checkpoint of a search of which this one is a part. After a restore the table learns what it knew.
  void serialize(Image& image);
  void reload();
  // Searches until nothing is left to expand, the collision rate exceeds gamma, too many states repeat, or `stop`
  // becomes true (null: never).
  enum class End { done, collisions, repeats, signal };
  static constexpr uint64_t kMostRepeats = 8;
  End search(const std::atomic<bool>* stop);

  // The states to be expanded next.
  std::vector<LogRange> queue() { return {front_}; }
  // All states that were inserted; those that were forgotten may be there more than once.
  VisitedLog& inserted() { return *inserted_; }
  LossyCache& table() { return *table_; }
  void drop_table() { table_.reset(); }
  uint64_t level() const { return level_; }
  LogRange level_range(uint64_t level) const;
  const NumberList& level_sizes() const { return level_sizes_; }
  uint64_t collisions() const { return collisions_; }
  double collision_rate() const {
    const uint64_t inserted = inserted_->states().size();
    return inserted == 0 ? 0 : static_cast<double>(collisions_) / static_cast<double>(inserted);
  }

 private:
  bool store(DiskWorker& worker, Batch& batch);
  void expand_level();
  void end_level();
  std::optional<End> find_repeats();

  DiskRun& run_;
  const double gamma_;
  std::unique_ptr<LossyCache> table_;
  std::unique_ptr<VisitedLog> inserted_;
  LogRange front_;
  std::vector<LogRange> rest_;  // of the front, when the threads rest
  bool in_level_ = false;       // `rest_` is what is left of it
  uint64_t level_ = 0;
  NumberList level_sizes_;
  std::atomic<uint64_t> collisions_{0};
  uint64_t cache_bytes_ = 0;
  uint64_t sort_at_ = 0;  // states inserted; 0: nothing was forgotten yet
};

// The cache table has all the memory that the disk blocks leave.
CachedPlan plan_cached(const PlanInput& input, uint64_t logs = CachedSearch::kLogs);

}  // namespace strata
