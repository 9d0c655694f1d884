#include "liveness/lasso/depth_first.h"

#include "base/system/process_memory.h"

namespace strata {

Status DepthFirst::start() {
  if (thread_ == 0) {
    if (Status status = run_.start(1); !status.ok()) return status;
  }
  out_ = &run_.worker(thread_).out;
  all_transitions(*out_);
  return {};
}

void DepthFirst::from_initial(const SearchRun::TakeStates& take) {
  run_.initial([&](const Expansion& some) {
    run_.end_level();
    if (run_.complete() || !goes_on()) return;
    run_.phase("depth-first search");
    take(some);
  });
}

void DepthFirst::report(uint64_t states, uint64_t transitions, uint64_t queue) {
  ProgressBoard& progress = run_.context.progress;
  progress.states.store(states, std::memory_order_relaxed);
  progress.transitions.store(transitions, std::memory_order_relaxed);
  progress.queue.store(queue, std::memory_order_relaxed);
  run_.end_level();
}

Result<SearchResult> DepthFirst::finish(uint64_t states) {
  SearchRun::Numbers numbers;
  numbers.states = states;
  return run_.finish(numbers, nullptr);
}

Status DepthFirst::show_path(const std::vector<uint8_t>& states, SearchResult& result) {
  const uint64_t bytes = run_.info.state_bytes;
  for (uint64_t at = 0; at < states.size(); at += bytes) path->states.push_back(states.data() + at);
  return show_path(result);
}

Status DepthFirst::show_path(SearchResult& result) {
  if (Status status = show(run_.model, *path, result); !status.ok()) return status;
  result.peak_rss = peak_resident_bytes();
  return {};
}

}  // namespace strata
