// Breadth-first search with all states in a table, a CompactTable where they are short: `ram`, and the
// beginning of `auto`. See ram.cc for the idea.
//
// What happens when the budget refuses room for a state is the difference. `ram` stops: the level at hand is
// still expanded and checked, without keeping successors, and the search ends incomplete. `auto` pauses:
// every thread puts down what it has in hand, so that another search can go on from exactly there (Rest).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "base/checks.h"
#include "engine/ram/frontier.h"
#include "engine/ram/level_stack.h"
#include "engine/ram/ram_plan.h"
#include "engine/run/search_run.h"
#include "engine/trace/trace_back.h"
#include "store/compact/compact_table.h"
#include "store/table/state_table.h"

namespace strata {

class RamSearch {
 public:
  // What has no room any more is dropped, and the search ends with its level; or it is kept, and the search
  // pauses at once, to go on elsewhere; or it is kept, and the search comes to a rest with all ranks, is
  // saved, and ends.
  enum class WhenFull { stop, pause, save };

  RamSearch(SearchRun& run, WhenFull when_full);
  ~RamSearch();
  RamSearch(const RamSearch&) = delete;
  RamSearch& operator=(const RamSearch&) = delete;

  // The table, the threads and their buffers.
  Status prepare(const RamPlan& plan);
  // From the initial states, or those that were restored, until all is done, or the search is to end, or it paused.
  void search();
  bool paused() const { return paused_; }
  // It paused before it had all initial states: another search has to begin with them.
  bool began() const { return levels_->depth() > 0; }

  Result<SearchResult> finish();

  const LevelTable& table() const { return *table_; }
  // The same, if it was planned with places.
  StateTable& state_table() { return *states_; }
  // Some states of a shard of the table, from one number to before another; not those of levels that are done.
  struct TableStretch {
    uint64_t shard, begin, end;
  };
  // Calls visit(thread, states, count) for all of them, on all threads.
  void visit_stretches(const std::vector<TableStretch>& stretches, const History::Visit& visit);
  // The same for all states of the levels before the last one, level by level from `first` on, with done() after each.
  void visit_levels(const History::Visit& visit, const std::function<void()>& done, uint64_t first = 0);
  const NumberList& level_sizes() const { return level_sizes_; }
  const LevelStack& levels() const { return *levels_; }
  // The level in which the search paused.
  uint64_t level() const { return level_; }

  // Where the search paused in its level.
  struct Rest {
    std::vector<uint8_t> unexpanded;  // states of the level that threads had in hand
    std::vector<uint8_t> refused;     // successors, of the next level, that found no room in the table
  };
  // Gives it away; what was in hand is not here any more.
  Rest take_rest();
  Rest copy_rest() const;
  // The states of the last level that threads had in hand, the others of it, and those that were found for
  // the next one.
  struct LevelParts {
    std::vector<TableStretch> expanded, open, next;
  };
  LevelParts level_parts() const;

  // For states of a checkpoint, level by level: those of the level at hand that are open come last, and then
  // those of the next level. Thread-safe, each thread with its own number.
  void insert_restored(unsigned thread, const uint8_t* states, uint64_t n);
  void end_restored_level();
  void begin_open();
  // With what threads had in hand. False: there was no room for all.
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
  // What has no room is kept.
  bool pausing() const { return when_full_ != WhenFull::stop && full(); }
  bool leaving() const { return when_full_ == WhenFull::pause && full(); }

  SearchRun& run_;
  const WhenFull when_full_;
  std::unique_ptr<LevelTable> table_;
  StateTable* states_ = nullptr;     // it is one of these
  CompactTable* compact_ = nullptr;  // or one of these
  std::unique_ptr<LevelStack> levels_;
  std::unique_ptr<Frontier> frontier_;
  // What a thread owns: its way into the table, pieces of the level put together from several shards, and what was left
  // of its piece when it paused.
  struct Thread {
    std::unique_ptr<Inserter> inserter;
    UntouchedVector<uint8_t> piece;
    std::vector<uint8_t> unexpanded;
  };
  std::vector<Thread> threads_;
  uint64_t level_ = 0;  // the one being processed
  NumberList level_sizes_;
  std::atomic<bool> full_{false};
  std::atomic<bool> rests_{false};     // the threads stopped for a checkpoint
  bool restored_ = false;              // the level at hand is that of a checkpoint
  std::vector<uint64_t> open_begins_;  // of a restored level, in each shard
  std::vector<uint8_t> in_hand_;       // of a restored level
  bool paused_ = false;
  uint64_t charged_ = 0;
  GrowthChecks checks_;  // of the table
};

}  // namespace strata
