#include "engine/run/saving.h"

#include <utility>

namespace strata {

// Whether the event changed the state.
bool Saving::move(SavingEvent event) {
  const SavingState from = machine_.state();
  bool changed = false;
  if (!machine_.move(event, changed))
    limits_.fail(Status::internal(
        "a search used its checkpoints in the wrong order; please report this as a bug of strata"));
  if (!changed) return false;
  const SavingState to = machine_.state();
  if (to == SavingState::restoring) limits_.hold_time_limit();
  const bool expands = to == SavingState::pausing || to == SavingState::barred;
  if (from == SavingState::restoring && expands) limits_.start_time_limit();
  return true;
}

Status Saving::save_with(Checkpoints::Serialize serialize) {
  if (checkpoints_ == nullptr) return {};
  const bool resumed = resumes();
  part_ = checkpoints_->add(std::move(serialize));
  if (!resumed) return {};
  move(SavingEvent::resume);
  if (Status status = checkpoints_->status(); !status.ok()) return status;
  return checkpoints_->restored();
}

Requests Saving::requests() const {
  switch (state()) {
    case SavingState::pausing:
    case SavingState::writing: return Requests::wait_for_rest;
    case SavingState::barred:
    case SavingState::finished: return Requests::end_at_once;
    default: return offered() ? Requests::end_own_at_once : Requests::end_at_once;
  }
}

bool Saving::pause_wanted() {
  if (!pause_due()) return false;
  ranks_.call_end();
  return true;
}

bool Saving::pause_due() {
  if (!offered()) return false;
  if (state() != SavingState::pausing) move(SavingEvent::ask);
  if (requests() != Requests::wait_for_rest) return false;
  if (const Status shortage = checkpoints_->short_of_space(); !shortage.ok()) limits_.note_shortage(shortage);
  if (ranks_.heard() == SearchRanks::Heard::end_called) return true;
  return checkpoints_->due() || limits_.requested() != StopReason::none;
}

void Saving::checkpoint(StopReason reason) {
  if (limits_.ended()) return;
  const std::string before = progress_.phase();
  progress_.phase("making a checkpoint");
  checkpoints_->note(limits_.elapsed(), progress_.states);
  if (!move(SavingEvent::write)) return;
  // Checkpoints reports what goes wrong. The previous checkpoint is still valid then, so the search continues.
  static_cast<void>(checkpoints_->make());
  move(SavingEvent::written);
  if (reason != StopReason::none) limits_.stop(reason);
  progress_.phase(before);
}

}  // namespace strata
