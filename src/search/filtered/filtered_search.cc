#include "search/filtered/filtered_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace strata {

FilteredSearch::FilteredSearch(DiskRun& run, bool exact_levels, double waiting)
    : run_(run),
      exact_levels_(exact_levels),
      visited_(run),
      waiting_(run),
      decider_(run, visited_, waiting_, waiting),
      background_(run, visited_, waiting_),
      keeper_(run, visited_, waiting_),
      schedule_(run, visited_, waiting_, decider_, background_, keeper_, !exact_levels) {
  const FilteredPlan plan = plan_filtered(run_.plan_input());
  partition_bits_ = plan.partition_bits;
  sizes_ = plan.disk;
}

Status FilteredSearch::open() {
  if (Status status = run_.open_disk(sizes_); !status.ok()) return status;
  visited_.open(partition_bits_);
  background_.open();
  run_.shape.partitions = visited_.partitions();
  for (unsigned i = 0; i < run_.threads(); ++i) threads_.push_back(std::make_unique<Thread>());
  return {};
}

void FilteredSearch::serialize(Image& image) {
  visited_.serialize(image);
  waiting_.serialize(image);
  decider_.serialize(image);
  run_.serialize(image, "rest", rest_);
  image.value("level", level_);
  schedule_.serialize(image);
}

Status FilteredSearch::prepare(const std::function<Status()>& restore) {
  // Those of a search that is restored are known before they are there.
  const uint64_t visited = restore ? run_.context.checkpoints->last().states : visited_.states();
  const auto plan = run_.plan([&](const PlanInput& input) { return plan_filtered(input, visited); });
  if (!plan.ok()) return plan.status();
  if (Status status = run_.make_workers(sizes_); !status.ok()) return status;
  const auto pool = run_.make_pool(sizes_.block, plan->waiting_blocks);
  if (!pool.ok()) return pool.status();
  waiting_.open(visited_.partitions(), **pool);
  level_buffers_ = std::make_unique<BlendedBuffers>(run_, visited_.partitions(), sizes_.block);
  if (!level_buffers_->ok()) return Status::limit("--memory is too small for blocks of states; raise it");
  if (!run_.budget.reserve(plan->latest * threads_.size()))
    return Status::limit("--memory is too small for a cache of states; raise it");
  if (Status status = keeper_.make(partition_bits_, plan->sieve, plan->filter, visited); !status.ok())
    return status;
  for (auto& thread : threads_) thread->latest.resize(run_.key_bytes(), plan->latest);
  if (restore) {
    if (Status status = restore(); !status.ok()) return status;
  }
  keeper_.teach_all();
  return {};
}

// ---- EXPAND

// False: there is no room for more states, waiting or visited.
bool FilteredSearch::store(DiskWorker& worker, Batch& batch, Fresh fresh) {
  if (fresh == Fresh::visited && (schedule_.is_full() || keeper_.is_crowded())) return false;
  const BackgroundDecider::Storing storing(background_, worker.base.number);
  TimeShares& seconds = worker.base.seconds;
  Thread& own = *threads_[worker.base.number];
  OrderedBatch& ordered = visited_.batch(worker.base.number);
  const auto begin = Clock::now();
  ordered.order(batch.keys, [&](uint64_t i) {
    if (i + kKeysAhead < batch.keys.count) own.latest.fetch(batch.keys.hashes[i + kKeysAhead]);
    return !own.latest.meet(batch.keys.key(i), batch.keys.hashes[i]);
  });
  const auto sorted = Clock::now();
  seconds.partition += seconds_between(begin, sorted);
  own.fresh = own.doubtful = 0;
  // Blocks that fill up go to the disk together, when no lock is held.
  const SubmitBatch held(visited_[0].states().carrier());
  // Each thread begins elsewhere, so they seldom meet.
  const uint64_t n = visited_.partitions(), first = n * worker.base.number / run_.threads();
  for (uint64_t i = 0; i < n; ++i) {
    const StateSieve::Group some = ordered.group((first + i) & (n - 1));
    if (some.count == 0) continue;
    if (Status status = store_group(own, ordered, some, batch, fresh); !status.ok()) run_.fail(status);
  }
  visited_.note_appended(own.fresh);
  waiting_.note_appended(own.doubtful);
  run_.note_found(own.fresh);
  seconds.insert += seconds_between(sorted, Clock::now());
  batch.done = batch.keys.count;
  return true;
}

Status FilteredSearch::store_group(Thread& own, OrderedBatch& ordered, const StateSieve::Group& group,
                                   const Batch& batch, Fresh fresh) {
  using Answer = StateSieve::Answer;
  own.answers.resize(group.count);
  keeper_.sieve().classify(batch.keys, group, own.answers.data());
  const Answer visited = fresh == Fresh::visited ? Answer::fresh : Answer::seen;
  if (visited == Answer::fresh) {
    const uint64_t n = ordered.gather(group, batch.keys, batch.states, !run_.mode().exact(),
                                      [&](uint64_t i) { return own.answers[i] == visited; });
    own.fresh += n;
    if (n > 0) {
      const Status status = visited_[group.region].append(ordered.states(), ordered.signatures(), n);
      if (!status.ok()) return status;
    }
  }
  const uint64_t n = ordered.gather(group, batch.keys, batch.states, false, [&](uint64_t i) {
    return own.answers[i] != Answer::seen && own.answers[i] != visited;
  });
  own.doubtful += n;
  return n == 0 ? Status() : waiting_.append(group.region, ordered.states(), n);
}

void FilteredSearch::store_all(Batch batch) {
  while (!run_.halted() && !store(run_.disk_worker(0), batch)) schedule_.make_room(level_);
}

void FilteredSearch::expand_in_hand(const std::vector<uint8_t>& states) {
  const uint64_t bytes = run_.state_bytes(), count = states.size() / bytes;
  DiskWorker& worker = run_.disk_worker(0);
  Expansion& out = worker.base.out;
  for (uint64_t done = 0; done < count && !run_.halted(); done += out.consumed) {
    if (!run_.receive(worker.base))
      run_.expand(worker.base, states.data() + done * bytes, count - done, level_);
    store_all({nullptr, out.states.data(), worker.successor_keys.of_states(out.states.data(), out.count), 0});
  }
}

void FilteredSearch::expand_level(const std::vector<LogRange>& level) {
  run_.phase(fmt::format("expanding level {}", level_));
  BlendedExpander expander(run_, level, level_, *level_buffers_);
  const auto sink = [&](DiskWorker& worker, Batch& batch) {
    background_.work(worker);
    return store(worker, batch);
  };
  bool goes_on = true;
  while (goes_on) {
    while (!expander.run(sink) && !expander.rests()) schedule_.make_room(level_);
    while (!run_.rounds().drain([&](SearchWorker& worker) { return store_arrivals(worker); }))
      schedule_.make_room(level_);
    const bool rests = expander.rests();
    if (rests) schedule_.pause_round();
    rest_ = rests ? expander.rest() : std::vector<LogRange>();
    goes_on = run_.rounds().end_round(rests);
  }
}

// Stores states that other ranks found.
bool FilteredSearch::store_arrivals(SearchWorker& base) {
  DiskWorker& worker = run_.disk_worker(base.number);
  Expansion& out = base.out;
  Batch batch{nullptr, out.states.data(), worker.successor_keys.of_states(out.states.data(), out.count), 0};
  base.unstored = !store(worker, batch);
  return !base.unstored;
}

// Makes successors wait, without checking the states or counting firings: those that are new are expanded in their
// turn.
void FilteredSearch::expand_waiting(const std::vector<LogRange>& waiting) {
  const uint64_t bytes = run_.state_bytes();
  run_.read(waiting, [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
    Expansion& out = worker.base.out;
    const bool checks = std::exchange(out.check_properties, false);
    const auto put = std::exchange(out.put, nullptr);
    for (uint64_t done = 0; done < span.count; done += out.consumed) {
      const auto begin = Clock::now();
      out.reset();
      run_.model.expand(span.records + done * bytes, span.count - done, out);
      worker.base.seconds.generate += seconds_between(begin, Clock::now());
      Batch batch{nullptr, out.states.data(), worker.successor_keys.of_states(out.states.data(), out.count),
                  0};
      store(worker, batch, Fresh::waiting);
    }
    out.check_properties = checks;
    out.put = put;
    return {};
  });
}

// ---- the levels

// All of the level is expanded.
void FilteredSearch::end_level() {
  run_.end_level();
  schedule_.note_found();
  if (!run_.keeps_states()) visited_.discard(level_);
  if (run_.at_bound(level_)) run_.stop(StopReason::bound);
  if (exact_levels_) schedule_.decide(level_);
}

bool FilteredSearch::next_level() {
  const bool first = visited_.levels() == 0;
  const auto has_next = [&] { return first ? visited_.levels() > 0 : level_ + 1 < visited_.levels(); };
  // A decision may have left several levels.
  if (!has_next()) visited_.push_level();
  if (!has_next() && background_.active()) {
    schedule_.finish_round();
    visited_.push_level();
  }
  bool any = run_.rounds().another_level(has_next());
  // All ranks decide together whether states wait anywhere.
  if (!any && run_.goes_on() && run_.ranks().any(waiting_.count() > 0)) {
    begin_sweeps();
    if (!has_next()) visited_.push_level();
    while (!has_next() && run_.goes_on() && waiting_.count() > 0) {
      schedule_.sweep();
      visited_.push_level();
    }
    any = run_.rounds().another_level(has_next());
  }
  if (!any) return false;
  if (!has_next()) visited_.push_empty_level();
  if (!first) ++level_;
  schedule_.begin_level(level_);
  run_.context.progress.begin_level(visited_.sizes()[level_]);
  return true;
}

void FilteredSearch::begin_sweeps() {
  const auto forget = [this] {
    for (auto& thread : threads_) thread->latest.clear();
  };
  schedule_.begin_sweeps(
      level_, [this](const std::vector<LogRange>& waiting) { expand_waiting(waiting); }, forget);
}

void FilteredSearch::search(const std::vector<uint8_t>& unexpanded, const std::vector<uint8_t>& successors) {
  KeyMaker keys(run_.mode(), run_.state_bytes());
  const bool in_level = visited_.levels() > 0;
  if (in_level) level_ = visited_.levels() - 1;
  schedule_.begin_waiting(level_);
  const auto store_states = [&](const uint8_t* states, uint64_t n) {
    store_all({nullptr, states, keys.of_states(states, n), 0});
  };
  if (!in_level) run_.initial([&](const Expansion& some) { store_states(some.states.data(), some.count); });
  if (in_level) {
    store_states(successors.data(), successors.size() / run_.state_bytes());
    expand_in_hand(unexpanded);
    expand_level(visited_.last_level(unexpanded_begin_));
    end_level();
  }
  search_levels();
}

void FilteredSearch::search_on() {
  for (auto& thread : threads_) thread->latest.clear();
  expand_level(rest_);
  end_level();
  search_levels();
}

void FilteredSearch::search_levels() {
  while (next_level()) {
    const Result<std::vector<LogRange>> level = visited_.level(level_);
    if (!level.ok()) return run_.fail(level.status());
    expand_level(*level);
    end_level();
  }
  visited_.push_level();
}

// ---- the end

Result<SearchResult> FilteredSearch::finish() {
  schedule_.cancel_round();
  LogHistory history(run_, [&](uint64_t level) { return visited_.level(level); });
  const double filter_bits = static_cast<double>(keeper_.filter_bits());
  keeper_.drop();  // its memory is for the paths
  Result<SearchResult> result =
      run_.finish({visited_.states(), visited_.sizes(), {}}, run_.keeps_states() ? &history : nullptr);
  if (!result.ok()) return result;
  result->full_detections = decider_.decisions() + background_.rounds();
  const double states = static_cast<double>(std::max<uint64_t>(visited_.states(), 1));
  result->details = {{"partitions", visited_.partitions()},
                     {"filter_bits_per_state", filter_bits / states},
                     {"waited_per_state", static_cast<double>(waiting_.decided()) / states},
                     {"late_states", schedule_.late()}};
  if (!result->counterexamples.empty()) {
    const uint64_t shown = result->counterexamples.front().steps.size();
    result->longer_by_at_most =
        schedule_.excess().longer_by(shown == 0 ? 0 : shown - 1, level_, waiting_.count() > 0);
  }
  result->levels_exact = schedule_.excess().none() && result->longer_by_at_most == 0;
  return result;
}

}  // namespace strata
