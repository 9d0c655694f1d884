// A run that continues with another number of ranks. The ranks read the checkpoints of the old ranks: each rank reads
// some of them, one after another, with the search that made them, and sends all states to the ranks that own them now
// (engine/redistribute). The old checkpoints are removed once all ranks have made one of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "model/model.h"
#include "store/checkpoint/checkpoints.h"

namespace strata {

struct SearchWorker;

// Receives what a search has restored, instead of the search continuing with it. The calls are, by one thread at a time:
// begin(); for each level that is done, its states and end_part(); then, each with end_part(), the following states of
// the current level and of the next one; and at last take_counts().
//
//   in hand   of the current level, taken by a thread but not expanded; they are among `done` as well
//   done      of the current level, expanded
//   open      of the current level, not expanded
//   next      of the next level
//   waiting   of the next level or visited before: not decided yet
class StateSink {
 public:
  static constexpr uint64_t kParts = 5;  // besides the levels

  StateSink() = default;
  virtual ~StateSink() = default;
  StateSink(const StateSink&) = delete;
  StateSink& operator=(const StateSink&) = delete;

  // The model that the states belong to, and how many levels are done.
  virtual void begin(const Model& model, uint64_t levels) = 0;
  virtual void take(const uint8_t* states, uint64_t n) = 0;
  virtual void end_part() = 0;
  // What was counted and found, and the seconds it took.
  virtual void take_counts(const SearchWorker& counts, double seconds) = 0;
  // Whether the search was one of several ranks.
  virtual bool from_ranks() const = 0;
};

class OldRanks {
 public:
  // What this rank reads. All ranks have the same number of passes; in each pass, a rank reads one old checkpoint or
  // none. `ranks`: the number of old ranks; 0: a single process without ranks.
  OldRanks(std::vector<std::unique_ptr<Checkpoints>> saved, uint64_t passes, uint64_t ranks)
      : saved_(std::move(saved)), passes_(passes), ranks_(ranks) {}

  using Read = std::function<Status(Checkpoints& saved, StateSink& to)>;
  void read_with(Read read) { read_ = std::move(read); }

  uint64_t passes() const { return passes_; }
  uint64_t ranks() const { return ranks_; }
  bool has(uint64_t pass) const { return pass < saved_.size(); }
  // Reads what this rank reads in a pass. May be repeated.
  Status read(uint64_t pass, StateSink& to) {
    if (Status status = saved_[pass]->rewind(); !status.ok()) return status;
    return read_(*saved_[pass], to);
  }

  // Where the run was resumed; the states are those that this rank reads.
  std::vector<Checkpoints::Resumed> resumed() const {
    std::vector<Checkpoints::Resumed> sum;
    for (const auto& saved : saved_) {
      sum.resize(std::max(sum.size(), saved->resumed().size()));
      for (size_t i = 0; i < saved->resumed().size(); ++i) {
        sum[i].seconds = std::max(sum[i].seconds, saved->resumed()[i].seconds);
        sum[i].states += saved->resumed()[i].states;
      }
    }
    return sum;
  }

  // The processes that made the checkpoints (Checkpoints::restored_maker).
  std::vector<uint64_t> makers() const {
    std::vector<uint64_t> makers;
    for (const auto& saved : saved_) makers.push_back(saved->restored_maker());
    return makers;
  }

  // Removes the old checkpoints, which are not needed any more.
  void retire() {
    for (const auto& saved : saved_) saved->remove();
    saved_.clear();
    retired_ = true;
  }
  bool retired() const { return retired_; }

 private:
  std::vector<std::unique_ptr<Checkpoints>> saved_;
  const uint64_t passes_, ranks_;
  Read read_;
  bool retired_ = false;
};

}  // namespace strata
