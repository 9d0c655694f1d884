// FilteredSearch with states of other ranks, and for other ranks: a run that continues with another number of
// processes.
#include <algorithm>

#include "search/filtered/filtered_search.h"

namespace strata {

void FilteredSearch::store_waiting(Redistribution& states) {
  KeyMaker keys(run_.mode(), run_.state_bytes());
  level_ = visited_.levels() - 1;
  schedule_.begin_waiting(level_);
  states.visit_waiting([&](unsigned, const uint8_t* some, uint64_t n) {
    store_all({nullptr, some, keys.of_states(some, n), 0});
  });
}

// All ranks make a checkpoint of their own before they continue.
void FilteredSearch::search_regrouped() {
  rest_ = visited_.last_level(unexpanded_begin_);
  static_cast<void>(run_.rounds().end_round(true));
  if (run_.stopped() == StopReason::none) search_on();
}

Status FilteredSearch::give(const std::function<Status()>& restore, StateSink& to) {
  if (!run_.keeps_states())
    return Status::usage(
        "a run with signatures and --trace off does not keep the states that it has expanded, and cannot "
        "continue with another number of processes");
  if (Status status = run_.make_workers(sizes_); !status.ok()) return status;
  const auto pool = run_.make_pool(sizes_.block, plan_filtered(run_.plan_input()).waiting_blocks);
  if (!pool.ok()) return pool.status();
  waiting_.open(visited_.partitions(), **pool);
  if (Status status = restore(); !status.ok()) return status;
  const auto give_part = [&](const Result<std::vector<LogRange>>& ranges) {
    if (!ranges.ok()) return run_.fail(ranges.status());
    run_.read(*ranges, [&](DiskWorker&, const StateScan::Span& span) -> Status {
      to.take(span.records, span.count);
      return {};
    });
    to.end_part();
  };
  to.begin(run_.model, level_);
  for (uint64_t level = 0; level < level_; ++level) give_part(visited_.level(level));
  const Result<std::vector<LogRange>> level = visited_.level(level_);
  if (!level.ok()) return level.status();
  to.end_part();  // nothing is in hand
  give_part(without_rest(*level));
  give_part(rest_);
  give_part(visited_.beyond_levels());
  give_part(waiting_.ranges());
  run_.give_counts(to);
  return run_.trouble();
}

// The states of the level at hand that were expanded.
std::vector<LogRange> FilteredSearch::without_rest(const std::vector<LogRange>& level) const {
  std::vector<LogRange> left = rest_, done;
  std::sort(left.begin(), left.end(), [](const LogRange& a, const LogRange& b) { return a.begin < b.begin; });
  for (const LogRange& range : level) {
    uint64_t begin = range.begin;
    for (const LogRange& open : left) {
      if (open.log != range.log) continue;
      if (begin < open.begin) done.push_back({range.log, begin, open.begin, range.label});
      begin = open.end;
    }
    if (begin < range.end) done.push_back({range.log, begin, range.end, range.label});
  }
  return done;
}

}  // namespace strata
