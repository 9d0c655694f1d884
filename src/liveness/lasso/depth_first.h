// What the nested depth-first searches share: a thread expands a state at a time without checking its properties; an
// error, whose path is on the search's stacks when it ends and may be too long for the memory; the result.
#pragma once

#include <optional>

#include "engine/run/search_run.h"
#include "liveness/lasso/lasso.h"
#include "liveness/lasso/path_search.h"

namespace strata {

class DepthFirst {
 public:
  // The part of one thread. The first thread starts the run.
  explicit DepthFirst(SearchRun& run, unsigned thread = 0) : run_(run), thread_(thread) {}

  Status start();
  // Calls take(states) with the initial states, some at a time, until the search is over.
  void from_initial(const SearchRun::TakeStates& take);
  // Nothing was found yet, and no limit was reached.
  bool goes_on() const { return !path && run_.stopped() == StopReason::none; }

  // The successors of a state, in out(); report() is called now and then. False: the search is to end.
  template <class Report>
  bool expand(const uint8_t* state, const Report& report);
  Expansion& out() { return *out_; }
  bool is_accepting(const uint8_t* state) const {
    uint8_t accepting = 0;
    run_.model.accepting(state, 1, &accepting);
    return accepting != 0;
  }
  // Returns false.
  bool out_of_memory() {
    run_.stop(StopReason::memory);
    return false;
  }
  // Updates the progress, if this is the first thread. `queue`: how many states wait.
  void report(uint64_t states, uint64_t transitions, uint64_t queue);

  // The result of a search that visited this many states, without its error.
  Result<SearchResult> finish(uint64_t states);
  // Adds the error, after its path was gathered and the memory of the search given back.
  Status show_path(SearchResult& result);
  // The same with the states of the path, one after another.
  Status show_path(const std::vector<uint8_t>& states, SearchResult& result);

  static constexpr uint64_t kBetweenReports = 1024;  // expansions

  std::optional<Path> path;  // the error, its states known at the end

 private:
  SearchRun& run_;
  const unsigned thread_;
  Expansion* out_ = nullptr;
};

template <class Report>
bool DepthFirst::expand(const uint8_t* state, const Report& report) {
  SearchWorker& worker = run_.worker(thread_);
  out_->reset();
  if (++worker.expansions % kBetweenReports == 0) {
    report();
    if (run_.halted()) return false;
  }
  run_.model.expand(state, 1, *out_);
  if (!out_->failures.empty()) {
    path.emplace();
    path->failure = out_->failures.front();
  } else if (!run_.charge(worker, out_->count)) {
    out_of_memory();
  }
  return goes_on();
}

// Search is made of a SearchRun with this many threads and of its own members, and has prepare(), search() and
// finish(far), which sets `far` if the path is too long. It is destroyed before a shorter path is looked for.
template <class Search, class... Own>
Result<SearchResult> search_depth_first(const SearchContext& context, unsigned threads = 1, Own... its_own) {
  SearchOptions options = context.options;
  options.threads = threads;
  std::optional<FarError> far;
  Result<SearchResult> result = [&]() -> Result<SearchResult> {
    const SearchContext own = context.with(context.model, options);
    SearchRun run(own);
    Search search(run, its_own...);
    if (Status status = search.prepare(); !status.ok()) return status;
    search.search();
    return search.finish(far);
  }();
  if (!result.ok() || !far) return result;
  if (Status status = add_far_error(context, *far, *result); !status.ok()) return status;
  return result;
}

}  // namespace strata
