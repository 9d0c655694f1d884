// Breadth-first search with new states in RAM and visited states in one file on disk. The new states are checked
// against the file when a level ends or the table is full. `mono` and `local` differ only in the part of the file that
// a check reads (all of it; the parts where duplicates are likely), so that choice is an interface.
//
//   D           visited states, in the order in which they were found; the level being expanded is its last part
//   M           table of the keys of states found since the last check
//   unchecked   these states themselves, in a file
//
//   expand the level:   successors not in M go into M and into `unchecked`; when M is full, check
//   check:              read the chosen parts of D and erase what is there from M;
//                       read `unchecked` and append to D what is left in M; empty both
//   at the level's end: check; what was appended to D since the last level's end is the next level
//
// RAM: M, and a few blocks. I/O of a check: what it reads of D, and the new states once.
#pragma once

#include <memory>
#include <vector>

#include "engine/disk/level_expander.h"

namespace strata {

// Which parts of the visited file a check reads.
class BlockChoice {
 public:
  virtual ~BlockChoice() = default;
  // A part of the file, and a place to count the candidates found in it.
  struct Part {
    uint64_t begin = 0, end = 0;  // records
    uint64_t erased = 0;
  };
  // The parts to read, of a file of this many records.
  virtual std::vector<Part> choose(uint64_t records, uint64_t per_block) = 0;
  // Tells the choice what was found in these parts.
  virtual void learn(const std::vector<Part>& parts) = 0;
  // Whether the last choice was the whole file.
  virtual bool was_full() const = 0;
  // For a checkpoint of what the choice has learned.
  virtual void serialize(Image& /*image*/) {}
};

struct CheckedPlan {
  MemoryPlan shares;
  DiskSizes disk;
  uint64_t table = 0;  // bytes of M
};

class CheckedSearch {
 public:
  // `first_level`: the level of the first states that it finds.
  CheckedSearch(DiskRun& run, TableKind table, BlockChoice& choice, uint64_t first_level = 0);

  static constexpr uint64_t kLogs = 4;

  void make_files();
  // Draws the table from the memory.
  Status prepare(uint64_t table_bytes);
  // From the initial states, or from a checkpoint.
  Status begin();
  // From the image of another search: its unexpanded states, and the keys of the states that it has visited. REQUIRES:
  // the caller has put these into visited().keys().
  void resume(std::vector<LogRange> queue);
  void search();
  // For a checkpoint of a search of which this one is a part. After a restore M is made again.
  void serialize(Image& image);
  void reload();

  VisitedLog& visited() { return *visited_; }
  // The states of a level, for paths.
  LogRange level_range(uint64_t level) const;
  // The sizes of the levels from the first one on. They may count states more than once if checks were partial.
  const NumberList& level_sizes() const { return level_sizes_; }
  // The number of different states among the visited ones and those of `before`, at most `estimate`. Gives up the table
  // and uses its memory.
  uint64_t count_states(std::vector<LogRange> before, uint64_t estimate, uint64_t memory);
  // Ends the search. A path is left out if its states were not kept.
  Result<SearchResult> finish(const SearchRun::Numbers& numbers, History& history);

 private:
  bool store(DiskWorker& worker, Batch& batch);
  void expand_level();
  void check();
  void check_part(uint64_t begin, uint64_t end);
  void make_room();
  void end_level();

  DiskRun& run_;
  const TableKind kind_;
  BlockChoice& choice_;
  const uint64_t first_level_;
  std::unique_ptr<CandidateSet> table_;
  std::unique_ptr<VisitedLog> visited_;
  std::unique_ptr<StateLog> unchecked_;
  std::vector<LogRange> front_;  // the level to expand, or what is left of it when the threads rest
  bool in_level_ = false;        // also when nothing is left of it
  uint64_t level_;
  uint64_t begin_ = 0;    // of the states found since the last level, in the visited states
  uint64_t resumed_ = 0;  // how many were there at the start
  NumberList level_sizes_;
  uint64_t full_checks_ = 0, partial_checks_ = 0;
};

// M has all the memory that the disk blocks leave.
CheckedPlan plan_checked(const PlanInput& input, TableKind table, uint64_t logs = CheckedSearch::kLogs);

// The parameter table=chained|open.
TableKind table_kind(const SearchOptions& options);

}  // namespace strata
