// When a search rests for a checkpoint, and making one (store/checkpoint/checkpoints.h). What is saved is up to the
// search; here is only the order of things, as a state machine (saving_state.h).
//
// Thread safety: pause_wanted(), end_wanted() and requests() may be called by any thread; all else needs idle threads.
#pragma once

#include <memory>
#include <string>

#include "engine/ranks/search_ranks.h"
#include "engine/run/run_limits.h"
#include "engine/run/saving_state.h"
#include "report/progress/progress_board.h"
#include "store/checkpoint/checkpoints.h"

namespace strata {

class Saving {
 public:
  // `checkpoints` may be null: then nothing is saved.
  Saving(Checkpoints* checkpoints, RunLimits& limits, const SearchRanks& ranks, ProgressBoard& progress)
      : checkpoints_(checkpoints), limits_(limits), ranks_(ranks), progress_(progress) {}

  // ---- beginning

  // Whether the search is to continue from a checkpoint.
  bool resumes() const { return checkpoints_ != nullptr && checkpoints_->restoring(); }
  // From now on checkpoints contain what `serialize` writes. A search that resumes is restored by it at once.
  Status save_with(Checkpoints::Serialize serialize);
  // The search continues from what other processes saved.
  void take_over() { move(SavingEvent::resume); }
  // Whether the search can be saved, in the phases that allow it.
  bool offered() const { return part_ != nullptr; }

  // ---- resting

  // How the search answers requests to end.
  Requests requests() const;
  // Whether the threads are to rest so that a checkpoint can be made. A search that has asked once must keep
  // asking: from then on requests only end it by a rest. Other ranks are called to rest as well.
  bool pause_wanted();
  // The same without calling the others.
  bool pause_due();
  // Marks phases that cannot be saved. In such a phase a request ends the search at once; the last checkpoint remains
  // valid.
  void set_savable(bool savable) { move(savable ? SavingEvent::allow : SavingEvent::bar); }
  // Whether there is a request to end that waits for a rest.
  bool end_wanted() const {
    return requests() == Requests::wait_for_rest && limits_.requested() != StopReason::none;
  }

  // ---- making checkpoints

  // If a checkpoint is due, makes it, and then honours a request to end.
  void checkpoint() {
    if (pause_wanted()) checkpoint(limits_.requested());
  }
  // Makes a checkpoint, and then ends the search if there is a reason.
  void checkpoint(StopReason reason);
  // Makes a checkpoint after a step that took long, if the search can be saved.
  void checkpoint_phase() {
    if (offered()) checkpoint(StopReason::none);
  }

  void finish() { move(SavingEvent::finish); }
  SavingState state() const { return machine_.state(); }

 private:
  bool move(SavingEvent event);

  Checkpoints* const checkpoints_;
  RunLimits& limits_;
  const SearchRanks& ranks_;
  ProgressBoard& progress_;
  std::unique_ptr<Checkpoints::Part> part_;
  SavingMachine machine_;
};

}  // namespace strata
