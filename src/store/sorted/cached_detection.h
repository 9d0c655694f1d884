// Cached duplicate detection (CDD) of IOEMC (Wu et al. 2015, section V-C): whether a state was met, at once,
// with the newest states in memory (recent_set.h) and the older, historical ones in sorted tables on disk
// (sorted_table.h). When the memory is full, the oldest rho1 of its states go to disk.
//
// The paper has one table, and merges each time into all of it. With rho1 = 0.02 that is N / (0.02 M) times
// the whole table for N states, M of which fit in memory (its theorem 1 counts N / M merges). So there are
// several tables here, each a sixth of the next one at most: the newest historical states are merged into the
// first, and a table that has grown beyond its share is merged into the next. A state is then rewritten about
// 4 times in each table, whatever N is. One table is the paper's way.
//
// A historical state that was found again is likely to be found once more. The paper does not keep it; here
// the last ones have a part of the memory, which took away a third of the look-ups on disk (mcs.3, property
// 4, at half of ndfs's memory).
//
// To look up. Memory first; then the filters of the tables, which know most states that were never seen; then
// one block of each table that may have the state. The blocks of all states of a call are read together.
//
// A state that was not seen at some time is certainly new if all states that came since are in memory, and it is not
// among them. epoch() and covers() tell: for a state that was looked up in an epoch that the memory covers, the disk is
// not needed.
//
// Invariants
//  1. A state is in memory as recent, or in one of the tables, never in two of these.
//  2. states() is the number of all of them.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "store/cache/recent_set.h"
#include "store/key/table_memory.h"
#include "store/sorted/sorted_table.h"

namespace strata {

class CachedDetection {
 public:
  struct Plan {
    uint64_t recent_bytes = 0, filter_bytes = 0, index_bytes = 0;  // drawn from the budget
    uint64_t tables = 1;
    double rho1 = 0;  // 0 < rho1 <= 1
  };
  // Whether such a plan has room for the least number of states.
  static bool has_room(uint64_t state_bytes, const Plan& plan);
  static Result<std::unique_ptr<CachedDetection>> create(Storage& storage, const std::string& name,
                                                         uint64_t state_bytes, const Plan& plan,
                                                         BufferRing& shelf, MemoryBudget& budget);

  // The answer for a state: its slot among the recent ones, or that it is historical. If neither, it is new, unless
  // that is doubtful.
  struct Found {
    uint32_t slot = RecentSet::kNoSlot;
    bool historical = false;
    bool doubtful = false;
    bool met() const { return historical || slot != RecentSet::kNoSlot; }
  };
  // Looks states up together.
  Status look(const Keys& keys, Found* found);
  // The same without the disk: a state for which the disk is needed is doubtful, and must be looked up later.
  void look_in_memory(const Keys& keys, Found* found);
  // The same for a state that was new in an epoch that the memory covers.
  Found look_recent(const uint8_t* state, uint64_t hash) {
    ++figures_.asked;
    ++figures_.recent;
    return {recent_->find(state, hash), false};
  }
  // Adds a new state and returns its slot. May move the oldest states to disk first.
  Result<uint32_t> enter(const uint8_t* state, uint64_t hash);

  // For a checkpoint: all its states. REQUIRES for restoring: it is empty. Then the newest states are in memory as far
  // as there is room, and no earlier epoch is covered.
  void serialize(Image& image);

  // Those of the sets in memory, and of the tables if `disk` is true.
  std::string check_invariants(bool disk);

  RecentSet& recent() { return *recent_; }
  // Changes when states go to disk. The memory never covers kNoEpoch.
  static constexpr uint32_t kNoEpoch = 0;
  uint32_t epoch() const { return static_cast<uint32_t>(figures_.merges) + 1; }
  bool covers(uint32_t epoch) const { return epoch >= covered_; }

  uint64_t states() const { return figures_.states; }
  struct Figures {
    uint64_t states = 0;
    // Look-ups; answered by the recent states and those found again, by the filters, with the disk.
    uint64_t asked = 0, recent = 0, filtered = 0, disk = 0;
    uint64_t asked_again = 0;             // as the memory alone did not know
    uint64_t blocks_read = 0, waits = 0;  // of look-ups; the blocks of one wait are read together
    uint64_t merges = 0;                  // of recent states
    uint64_t merged = 0;                  // states that merges took from memory or a table
  };
  const Figures& figures() const { return figures_; }

 private:
  // A table may hold this part of the next one.
  static constexpr uint64_t kShare = 6;
  // Fifths of the memory of recent states that are for those found again.
  static constexpr uint64_t kRevisited = 2;
  static constexpr uint64_t kLeastStates = 16;
  static constexpr uint64_t kAtOnce = 64;  // states that are looked up together

  // How many states the memory of recent ones has room for.
  struct Rooms {
    uint64_t recent = 0, revisited = 0;
  };
  static Rooms rooms(uint64_t state_bytes, const Plan& plan);

  CachedDetection(uint64_t state_bytes, BufferRing& shelf) : state_bytes_(state_bytes), shelf_(shelf) {}

  struct Question {
    SortedTable* table;
    uint32_t key;  // within a call
    SortedTable::Probe probe;
  };

  template <class Doubt>
  void look_part(const Keys& keys, Found* found, const Doubt& doubt);
  void remember(const HashedState& state);
  Status ask_disk(const Keys& keys, Found* found);
  Status make_room();
  Status merge_down(uint64_t table);

  const uint64_t state_bytes_;
  BufferRing& shelf_;
  uint64_t batch_ = 0;  // states that go to disk together
  std::unique_ptr<TableMemory> memory_;
  HashedState* sorted_ = nullptr;
  std::unique_ptr<RecentSet> recent_;
  std::unique_ptr<RecentSet> revisited_;              // historical states that were seen lately
  std::vector<std::unique_ptr<SortedTable>> tables_;  // the first one gets the recent states
  std::vector<uint32_t> slots_;
  std::vector<Question> questions_;
  std::deque<uint64_t> begins_;  // the first number of each epoch from covered_ on
  uint32_t covered_ = 1;
  Figures figures_;
};

}  // namespace strata
