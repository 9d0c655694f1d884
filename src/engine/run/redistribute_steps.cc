// The part of SearchRun that is about going on from the checkpoints of another number of ranks
// (engine/contract/old_ranks.h), and about what a search has counted, which is saved and handed on as a
// whole.
#include <algorithm>
#include <utility>

#include "engine/contract/old_ranks.h"
#include "engine/run/search_run.h"

namespace strata {

void SearchWorker::add_counts(const SearchWorker& other) {
  transitions += other.transitions;
  expansions += other.expansions;
  orbit_states += other.orbit_states;
  counts.add(other.counts);
  seconds.add(other.seconds);
  for (uint64_t i = 0; i < out.covered.size(); ++i) out.covered[i] |= other.out.covered[i];
  for (uint64_t i = 0; i < out.premises.size(); ++i) out.premises[i] |= other.out.premises[i];
}

bool SearchRun::regroups() const { return context.old_ranks != nullptr && !context.old_ranks->retired(); }

void SearchRun::hand_out(const uint8_t* states, uint64_t n, const Store& store) {
  SearchWorker& own = *workers_.front();
  const uint64_t bytes = model.whole().info().state_bytes, most = own.out.capacity();
  std::atomic<bool> refused{false};
  for (uint64_t done = 0; done < n && !halted() && !refused; done += most) {
    own.out.reset();
    model.hand_out(states + done * bytes, std::min(n - done, most), own.out);
    own.unstored = own.out.count > 0;
    bool all_sent = false;
    // What has arrived is taken in before more is sent, so that nobody waits for this rank.
    while (!halted() && store_arrivals(own, store, refused)) {
      if (all_sent) break;
      own.out.reset();
      all_sent = model.arrivals(own.out, false);
      own.unstored = own.out.count > 0;
      if (!all_sent && !own.unstored) joint_->exchange().transport().wait();
    }
  }
}

void SearchRun::take_over(SearchWorker& counted, double seconds) {
  SearchWorker& first = *workers_.front();
  first.add_counts(counted);
  first.findings.take(counted.findings);
  context.progress.transitions = first.transitions;
  before_ = seconds;
  began_initial_ = restored_ = in_level_ = true;
}

void SearchRun::give_counts(StateSink& to) const {
  SearchWorker sum(0, info, 1, kept_errors_);
  for (const auto& worker : workers_) {
    sum.add_counts(*worker);
    for (const Finding& finding : worker->findings.all())
      sum.findings.add(finding.level, finding.failure, finding.state.empty() ? nullptr : finding.state.data(),
                       finding.state.size());
  }
  to.take_counts(sum, before_);
}

// The old checkpoints go when all ranks have one of the same number; one that a rank could not make does not count.
void SearchRun::retire_origin() {
  if (!regroups()) return;
  const uint64_t own = context.checkpoints->folder().number(), least = joint_->least(own);
  uint64_t largest = own;
  joint_->largest({&largest, 1});
  if (least > 0 && least == largest && !joint_->exchange().failed()) context.old_ranks->retire();
}

}  // namespace strata
