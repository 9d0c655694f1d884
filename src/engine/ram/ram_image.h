// The checkpoints of a search in RAM or on a device: its states in logs, so that each checkpoint writes only what has
// changed.
//
//   visited   the states of the levels that are done, level by level; each is written once
//   done      the expanded states of the current level
//   open      its states that are not expanded
//   next      the states found for the next level
//
// Each checkpoint rewrites the last three. States that a thread had in hand when the memory was full are part of the
// image. A restored search has all states in its table in the same order, so the current level is again one range of
// each shard, and its open states are another.
#pragma once

#include <memory>
#include <vector>

#include "base/locks/mutex.h"
#include "engine/disk/disk_run.h"
#include "engine/ram/ram_search.h"
#include "engine/redistribute/redistribution.h"

namespace strata {

class RamImage final : public SavedStates {
 public:
  explicit RamImage(DiskRun& run) : run_(run), readers_(run) {}
  ~RamImage() override;

  // The memory that the logs need.
  static uint64_t bytes(const PlanInput& input);
  static uint64_t block_bytes(const PlanInput& input);
  // Creates the logs.
  Status open();

  // Part of a checkpoint of the search: writes what has changed, and saves or restores the logs.
  void serialize(RestingSearch& search, Image& image);
  void serialize(RamSearch& search, Image& image);
  // The same for a search that is only restored.
  void restore(Image& image);

  // Inserts the restored states into the table of a search, which then continues from there. False: the states do not
  // fit, or reading failed.
  bool load(RamSearch& search);
  // Gives the restored states to a receiver instead.
  void give(StateSink& to);
  uint64_t levels_done() const { return sizes_.size() - 1; }
  uint64_t open_states() const { return open_->size(); }
  void visit_levels(const History::Visit& visit, const std::function<void()>& done) override;
  void visit_done(const History::Visit& visit) override { readers_.read(*done_, 0, done_->size(), visit); }
  void visit_open(const History::Visit& visit) override { readers_.read(*open_, 0, open_->size(), visit); }
  void visit_next(const History::Visit& visit) override { readers_.read(*next_, 0, next_->size(), visit); }
  const RestingSearch::Rest& rest() const { return rest_; }
  const NumberList& sizes() const { return sizes_; }

 private:
  void close();
  // The threads that append report trouble; write() itself reads it while they do not run.
  void write(RestingSearch& search, Image& image) UNCHECKED_LOCKS;
  using VisitPart = void (RestingSearch::*)(const History::Visit&);
  void write_anew(StateLog& log, RestingSearch& search, VisitPart part);
  void append(StateLog& log, const uint8_t* states, uint64_t n);
  void note(const Status& status);

  DiskRun& run_;
  BlockPool* pool_ = nullptr;
  std::unique_ptr<StateLog> visited_, done_, open_, next_;
  LogReaders readers_;
  uint64_t written_ = 0;  // levels, in `visited`
  Mutex mutex_;
  Status trouble_ GUARDED_BY(mutex_);  // of the last checkpoint
  NumberList sizes_;                   // of all levels up to the one at hand
  RestingSearch::Rest rest_;
};

// Inserts the states that other ranks saved into the table of a search. False: they do not fit, or reading failed.
bool load_regrouped(Redistribution& states, RamSearch& search, DiskRun& run);

}  // namespace strata
