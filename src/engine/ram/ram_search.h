// Breadth-first search with all states in a table (a CompactTable if they are short): `ram`, and the beginning of
// `auto`. ram.cc explains the idea.
//
// The two differ when the budget refuses room for a state. `ram` stops: the current level is still expanded and
// checked, without keeping successors, and the search ends incomplete. `auto` pauses: every thread puts down what it
// has in hand, so that another search can continue from exactly there (Rest).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/checks.h"
#include "engine/ram/frontier.h"
#include "engine/ram/level_stack.h"
#include "engine/ram/ram_plan.h"
#include "engine/ram/resting_search.h"
#include "engine/run/search_run.h"
#include "engine/trace/trace_back.h"
#include "store/compact/compact_table.h"
#include "store/table/state_table.h"

namespace strata {

class RamSearch {
 public:
  // stop    states without room are dropped, and the search ends with the current level
  // pause   they are kept, and the search pauses at once, to continue elsewhere
  // save    they are kept, and the search rests together with all ranks, is saved, and ends
  enum class WhenFull { stop, pause, save };

  RamSearch(SearchRun& run, WhenFull when_full);
  ~RamSearch();
  RamSearch(const RamSearch&) = delete;
  RamSearch& operator=(const RamSearch&) = delete;

  // Creates the table, and starts the threads with their buffers.
  Status prepare(const RamPlan& plan);
  // Searches from the initial or the restored states, until all states are expanded, the search has to end, or it
  // pauses.
  void search();
  bool paused() const { return paused_; }
  // Whether the search had all initial states when it paused. If not, another search has to begin with them.
  bool began() const { return levels_->depth() > 0; }

  Result<SearchResult> finish();

  const LevelTable& table() const { return *table_; }
  // The same table. REQUIRES: it was planned with places.
  StateTable& state_table() { return *states_; }
  // States `begin` to `end` of a shard of the table, outside of levels that are done.
  struct TableStretch {
    uint64_t shard, begin, end;
  };
  // Calls visit(thread, states, count) for all of these states, on all threads.
  void visit_stretches(const std::vector<TableStretch>& stretches, const History::Visit& visit);
  // The same for all states of the levels before the last one, level by level from `first` on; calls done() after each.
  void visit_levels(const History::Visit& visit, const std::function<void()>& done, uint64_t first = 0);
  const NumberList& level_sizes() const { return level_sizes_; }
  const LevelStack& levels() const { return *levels_; }
  // The level in which the search paused.
  uint64_t level() const { return level_; }

  // What was in hand when the search paused in its level. Moves it out of the search.
  using Rest = RestingSearch::Rest;
  Rest take_rest();
  Rest copy_rest() const;
  // The states of the last level that are expanded, those that are open, and the states found for the next level.
  struct LevelParts {
    std::vector<TableStretch> expanded, open, next;
  };
  LevelParts level_parts() const;

  // Insert the states of a checkpoint, level by level. The open states of the current level come last in it, then the
  // states of the next level. Thread safety: each thread with its own number.
  void insert_restored(unsigned thread, const uint8_t* states, uint64_t n);
  void end_restored_level();
  void begin_open();
  // Ends restoring, with what threads had in hand. False: there was not enough room.
  bool end_restoring(const Rest& rest);

 private:
  template <class Table>
  Status make_table(const TableSizes& sizes, Table*& table);
  void insert_initial();
  bool next_level();
  void process_level();
  void work(SearchWorker& worker);
  void expand_piece(SearchWorker& worker, const Frontier::Piece& piece);
  void expand_in_hand();
  bool insert_arrivals(SearchWorker& worker);
  void finish_inserts();
  void note_inserted(const InsertCounts& counts);
  bool full() const { return full_.load(std::memory_order_relaxed); }
  // The memory is full, and states without room are kept.
  bool pausing() const { return when_full_ != WhenFull::stop && full(); }
  bool leaving() const { return when_full_ == WhenFull::pause && full(); }

  SearchRun& run_;
  const WhenFull when_full_;
  std::unique_ptr<LevelTable> table_;
  StateTable* states_ = nullptr;     // the table is either this
  CompactTable* compact_ = nullptr;  // or this
  std::unique_ptr<LevelStack> levels_;
  std::unique_ptr<Frontier> frontier_;
  // What a thread owns: its access to the table, a piece of the level put together from several shards, and what was
  // left of the piece when the search paused.
  struct Thread {
    std::unique_ptr<Inserter> inserter;
    UntouchedVector<uint8_t> piece;
    std::vector<uint8_t> unexpanded;
  };
  std::vector<Thread> threads_;
  uint64_t level_ = 0;  // the current one
  NumberList level_sizes_;
  std::atomic<bool> full_{false};
  std::atomic<bool> rests_{false};     // the threads stopped for a checkpoint
  bool restored_ = false;              // the current level comes from a checkpoint
  std::vector<uint64_t> open_begins_;  // of a restored level, in each shard
  std::vector<uint8_t> in_hand_;       // of a restored level
  bool paused_ = false;
  uint64_t charged_ = 0;
  GrowthChecks checks_;  // of the table
};

}  // namespace strata
