// A run that goes on with another number of ranks than it had. What its ranks saved is read by those that
// there are now: each reads the checkpoints of some of the old ones, one after another, by the search that
// made them, and gives all states to the ranks that they belong to now (engine/redistribute). Once all of
// these have a checkpoint of their own, the old ones go.
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

// Takes what a search has restored, instead of the search going on with it: begin(); for each level that is
// done its states and end_part(); then, each with end_part(), these states of the level at hand, and of the
// next:
//
//   in hand   of the level at hand, not expanded yet; they are among those that are done all the same
//   done      expanded
//   open      not expanded
//   next      of the next level
//   waiting   of the next level, or visited before: nobody knows yet
//
// and take_counts() at last. By one thread at a time.
class StateSink {
 public:
  static constexpr uint64_t kParts = 5;  // beside the levels

  StateSink() = default;
  virtual ~StateSink() = default;
  StateSink(const StateSink&) = delete;
  StateSink& operator=(const StateSink&) = delete;

  // The model whose states they are, and how many levels are done.
  virtual void begin(const Model& model, uint64_t levels) = 0;
  virtual void take(const uint8_t* states, uint64_t n) = 0;
  virtual void end_part() = 0;
  // What was counted and found, and the seconds that it took.
  virtual void take_counts(const SearchWorker& counts, double seconds) = 0;
  // Whether the search was one of several ranks.
  virtual bool from_ranks() const = 0;
};

class OldRanks {
 public:
  // What this rank is to read. All ranks have the same number of passes, in each of which a rank reads one of
  // them, or none. `ranks`: the old ones; 0: a process alone.
  OldRanks(std::vector<std::unique_ptr<Checkpoints>> saved, uint64_t passes, uint64_t ranks)
      : saved_(std::move(saved)), passes_(passes), ranks_(ranks) {}

  using Read = std::function<Status(Checkpoints& saved, StateSink& to)>;
  void read_with(Read read) { read_ = std::move(read); }

  uint64_t passes() const { return passes_; }
  uint64_t ranks() const { return ranks_; }
  bool has(uint64_t pass) const { return pass < saved_.size(); }
  // Reads what this rank has to read in a pass. May be done again.
  Status read(uint64_t pass, StateSink& to) {
    if (Status status = saved_[pass]->rewind(); !status.ok()) return status;
    return read_(*saved_[pass], to);
  }

  // Where the run was resumed: the states are those that this rank reads.
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

  // Who made them (Checkpoints::restored_maker).
  std::vector<uint64_t> makers() const {
    std::vector<uint64_t> makers;
    for (const auto& saved : saved_) makers.push_back(saved->restored_maker());
    return makers;
  }

  // Nobody needs the old checkpoints any more.
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
