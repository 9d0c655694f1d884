// The states of a rank when a run continues with another number of ranks (engine/contract/old_ranks.h), in logs.
//
//   for each pass, all ranks together:
//     a rank that has an old checkpoint to read restores it and sends its states, level by level, to the ranks that
//     own them now
//     all ranks store the states that arrive for them in the log of this pass, and end a round after each level
//
// Every state is in exactly one of the old checkpoints, so no state arrives twice, except for states that are not yet
// known to be new. The log of a pass has one level after another; the states of the current level have logs of their
// own.
//
// Cost. Each state is sent once, written once and read once more. Meanwhile the run needs three times the
// space: the old checkpoints, these logs, and the files of the search that continues.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "base/number_list.h"
#include "engine/contract/old_ranks.h"
#include "engine/redistribute/log_readers.h"
#include "engine/redistribute/saved_states.h"

namespace strata {

class Redistribution final : public SavedStates, private StateSink {
 public:
  // With blocks of this many bytes.
  Redistribution(DiskRun& run, uint64_t block_bytes);
  ~Redistribution() override;

  // Called by all ranks together. If the run has to end meanwhile, run.stopped() says so in all ranks. Otherwise the
  // search is then in the level of the old ranks, with their counts.
  Status gather();

  // The memory that it draws.
  uint64_t bytes() const { return (blocks() + LogReaders::blocks(run_.threads())) * block_bytes_; }
  uint64_t levels_done() const { return levels_; }
  // The states that are known to be different, and those that are not expanded.
  uint64_t states() const;
  uint64_t queue() const { return open_->size() + next_->size(); }
  // The sizes of all levels up to the current one.
  NumberList level_sizes() const;

  void visit_levels(const History::Visit& visit, const std::function<void()>& done) override;
  void visit_done(const History::Visit& visit) override { readers_.read(*done_, 0, done_->size(), visit); }
  void visit_open(const History::Visit& visit) override { readers_.read(*open_, 0, open_->size(), visit); }
  void visit_next(const History::Visit& visit) override { readers_.read(*next_, 0, next_->size(), visit); }
  // States that belong to the next level or were visited before. On this thread alone.
  void visit_waiting(const History::Visit& visit) { readers_.read_here(*waiting_, visit); }

 private:
  struct Pass {
    std::unique_ptr<StateLog> visited;
    NumberList sizes;
  };

  uint64_t blocks() const { return passes_.size() + 4 + 2 * uint64_t{run_.threads()}; }
  Status open();
  void begin_pass(const Model* source, uint64_t levels);
  Status read_pass(uint64_t number);
  bool store(SearchWorker& worker);
  Status append(const uint8_t* states, uint64_t n);
  Status append_in_hand(const uint8_t* states, uint64_t n);
  // Reads in_hand_, which only the pass before it changes.
  Status append_done(const uint8_t* states, uint64_t n) UNCHECKED_LOCKS;

  // StateSink
  void begin(const Model& model, uint64_t levels) override { begin_pass(&model, levels); }
  void take(const uint8_t* states, uint64_t n) override;
  void end_part() override;
  void take_counts(const SearchWorker& counts, double seconds) override;
  bool from_ranks() const override { return run_.context.old_ranks->ranks() > 0; }

  DiskRun& run_;
  const uint64_t block_bytes_;
  BlockPool* pool_ = nullptr;
  std::vector<Pass> passes_;
  std::unique_ptr<StateLog> done_, open_, next_, waiting_;
  LogReaders readers_;
  uint64_t levels_ = 0;
  uint64_t pass_ = 0, part_ = 0;  // the current ones; parts are counted from the first level
  bool over_ = false;             // all ranks know that the run has to end
  const Model* source_ = nullptr;
  std::vector<uint8_t> whole_;
  Mutex mutex_;
  std::set<std::string> in_hand_ GUARDED_BY(mutex_);
  SearchWorker counted_;
  double seconds_ = 0;
};

}  // namespace strata
