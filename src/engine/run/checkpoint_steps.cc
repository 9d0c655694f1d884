// The part of SearchRun that is about checkpoints (store/checkpoint/checkpoints.h): what is saved of every
// search, when its threads come to a rest for one, and how it is made.
#include <utility>

#include "engine/run/search_run.h"

namespace strata {

void SearchRun::serialize_head(Image& image) {
  double seconds = elapsed();
  image.value("search_seconds", seconds);
  if (image.restores()) before_ = seconds;
  image.value("block", shape.block);
  image.value("queue_block", shape.queue_block);
  image.value("partitions", shape.partitions);
  model.serialize(image);
}

// What all threads counted; a restored search has it as the first one's.
void SearchRun::serialize_counts(Image& image) {
  SearchWorker sum(0, info, 1, 0);
  for (const auto& worker : workers_) sum.add_counts(*worker);
  image.value("transitions", sum.transitions);
  image.value("expansions", sum.expansions);
  image.value("orbit_states", sum.orbit_states);
  image.value("shares", sum.seconds);
  image.list("covered", sum.out.covered);
  image.list("premises", sum.out.premises);
  image.value("counted_states", sum.counts.state);
  image.list("rule_counts", sum.counts.rules);
  serialize_findings(image);
  ProgressBoard& board = context.progress;
  NumberList levels = board.levels();
  image.value("board_states", board.states);
  image.value("board_queue", board.queue);
  image.list("board_levels", levels);
  if (!image.restores() || !image.ok()) return;
  board.transitions = sum.transitions;
  board.restore_levels(levels);
  began_initial_ = true;
  SearchWorker& first = *workers_.front();
  first.transitions = sum.transitions;
  first.expansions = sum.expansions;
  first.orbit_states = sum.orbit_states;
  first.seconds = sum.seconds;
  first.counts = sum.counts;
  first.out.covered = sum.out.covered;
  first.out.premises = sum.out.premises;
}

void SearchRun::serialize_findings(Image& image) {
  std::vector<const Finding*> found;
  for (const Finding& finding : findings_.all()) found.push_back(&finding);
  for (const auto& worker : workers_)
    for (const Finding& finding : worker->findings.all()) found.push_back(&finding);
  uint64_t count = found.size();
  image.value("findings", count);
  for (uint64_t i = 0; i < count && image.ok(); ++i) {
    Finding finding;
    if (!image.restores()) finding = *found[i];
    image.value("level", finding.level);
    image.value("failure", finding.failure);
    image.list("state", finding.state);
    if (image.restores() && image.ok())
      // The search looks at them when the level is done.
      workers_.front()->findings.add(finding.level, finding.failure,
                                     finding.state.empty() ? nullptr : finding.state.data(),
                                     finding.state.size());
  }
}

Status SearchRun::save_with(Checkpoints::Serialize serialize) {
  if (context.checkpoints == nullptr) return {};
  const bool resumed = resumes();
  part_ = context.checkpoints->add([this, serialize = std::move(serialize)](Image& image) {
    serialize_counts(image);
    serialize(image);
  });
  if (!resumed) return {};
  restored_ = true;
  in_level_ = true;
  if (Status status = context.checkpoints->status(); !status.ok()) return status;
  return context.checkpoints->restored();
}

bool SearchRun::pause_wanted() {
  if (!pause_due()) return false;
  if (joint_) joint_->exchange().call_end();
  return true;
}

bool SearchRun::pause_due() {
  if (!part_ || !savable_.load(std::memory_order_relaxed)) return false;
  if (!pauses_.load(std::memory_order_relaxed) && !pauses_.exchange(true)) begin_limit();
  if (Status shortage = context.checkpoints->short_of_space(); !shortage.ok()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (trouble_.ok()) trouble_ = std::move(shortage);
    short_of_space_ = true;
  }
  if (joint_ && joint_->exchange().ending()) return true;
  return context.checkpoints->due() || ending() != StopReason::none;
}

void SearchRun::checkpoint(StopReason reason) {
  if (stopped() != StopReason::none && stopped() != StopReason::bound) return;
  const std::string before = context.progress.phase();
  phase("making a checkpoint");
  context.checkpoints->note(elapsed(), context.progress.states);
  // Who asks the search to end meanwhile does not end the writing of its states.
  const bool pauses = pauses_.exchange(true);
  // Who is told of trouble is not here: the last one stands, and the search can go on.
  static_cast<void>(context.checkpoints->make());
  pauses_ = pauses;
  if (reason != StopReason::none) stop(reason);
  phase(before);
}

}  // namespace strata
