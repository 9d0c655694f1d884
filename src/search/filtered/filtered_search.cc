#include "search/filtered/filtered_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace strata {

namespace {

// Bits of the filter for each state when it is to be made anew, and for how many it is made at least.
constexpr uint64_t kCrowdedBits = 6, kExpectedBits = 12;
// With so many next to no new state is found late, and nothing is gained by looking ahead.
constexpr uint64_t kPreciseBits = 12;
// By how much the number of states may grow before the filter is made anew.
constexpr uint64_t kGrowth = 2;

}  // namespace

FilteredSearch::FilteredSearch(DiskRun& run, bool exact_levels, double waiting)
    : run_(run),
      exact_levels_(exact_levels),
      visited_(run),
      waiting_(run),
      decider_(run, visited_, waiting_, waiting),
      background_(run, visited_, waiting_) {
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
  image.value("late", late_);
  image.value("excess", excess_);
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
  auto sieve = StateSieve::create(run_.key_bytes(), partition_bits_, plan->sieve, plan->filter, run_.budget);
  if (!sieve.ok()) return sieve.status();
  sieve_ = std::move(*sieve);
  sieve_->expect(expected_states(Outlook::goes_on, visited));
  for (auto& thread : threads_) thread->latest.resize(run_.key_bytes(), plan->latest);
  if (restore) {
    if (Status status = restore(); !status.ok()) return status;
  }
  teach_sieve();
  return {};
}

// ---- the sieve

bool FilteredSearch::is_precise() const { return sieve_->filter_bits() / kPreciseBits >= visited_.states(); }

// How many states the filter is for.
uint64_t FilteredSearch::expected_states(Outlook outlook, uint64_t visited) const {
  return outlook == Outlook::ends ? visited
                                  : std::max(kGrowth * visited, sieve_->filter_bits() / kExpectedBits);
}

// The bytes of another filter that would be better, where the table gets as many bytes at least; 0: it is
// good as it is.
uint64_t FilteredSearch::better_filter(Outlook outlook, uint64_t for_table) const {
  const uint64_t all = sieve_->bytes(), has = sieve_->filter_bytes(), visited = visited_.states();
  if (is_precise() && sieve_->cache_memory().bytes >= for_table) return 0;
  const uint64_t wanted = std::min(filter_bytes(all, visited, outlook), all - std::min(all, for_table));
  // At the end it is made for the last time, and few states are left for the cache.
  const uint64_t tolerated = outlook == Outlook::ends ? has / 10 : has / 4;
  const bool fits = wanted <= has + tolerated && wanted >= has / 4 * 3;
  return fits && !sieve_->is_overfull(expected_states(outlook, visited)) ? 0 : wanted;
}

// Divides the sieve's memory anew when another filter would be better.
bool FilteredSearch::divide_sieve(Outlook outlook, uint64_t for_table) {
  const uint64_t wanted = better_filter(outlook, for_table);
  if (wanted == 0) return false;
  sieve_->divide(wanted);
  sieve_->expect(expected_states(outlook, visited_.states()));
  return true;
}

// The filter learns all states, also those that wait: it has to know whatever was seen. The cache learns the last ones.
void FilteredSearch::teach_sieve() {
  run_.phase("reading visited states");
  teach_sieve(waiting_.ranges(), DiskRun::Records::states, 0);
  teach_visited(visited_.partitions(), true);
  note_crowded();
}

// When more states make the filter worth deciding for; never, if they are there already.
void FilteredSearch::note_crowded() {
  const uint64_t most = sieve_->filter_bits() / kCrowdedBits;
  crowded_ = most > visited_.states() ? most : UINT64_MAX;
}

// What was not visited yet when the decision began, and partitions of which nothing was read.
void FilteredSearch::teach_rest(const LevelMarks::Row& ends) {
  std::vector<LogRange> ranges;
  for (uint64_t p = 0; p < visited_.partitions(); ++p) {
    StateLog& keys = visited_[p].keys();
    ranges.push_back({&keys, decider_.learned(p) ? ends[p] : 0, keys.size(), p});
  }
  teach_sieve(std::move(ranges), DiskRun::Records::keys, 0);
  note_crowded();
}

// The cache learns the last states of the first partitions; the filter all, if asked to.
void FilteredSearch::teach_visited(uint64_t partitions, bool all) {
  std::vector<LogRange> ranges;
  const uint64_t recent = sieve_->recent_states() / visited_.partitions();
  for (uint64_t p = 0; p < partitions; ++p) {
    StateLog& keys = visited_[p].keys();
    ranges.push_back({&keys, all ? 0 : keys.size() - std::min(keys.size(), recent), keys.size(), p});
  }
  teach_sieve(std::move(ranges), DiskRun::Records::keys, recent);
}

// The filter learns what is in some ranges, and the cache the last `recent` records of each.
void FilteredSearch::teach_sieve(std::vector<LogRange> ranges, DiskRun::Records records, uint64_t recent) {
  run_.read_keys(
      std::move(ranges), records, &TimeShares::insert,
      [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
        OrderedBatch& batch = visited_.batch(worker.base.number);
        sieve_->learn(piece.keys, batch.whole(piece.range.label, piece.keys),
                      recent > 0 && piece.first + recent >= piece.range.end);
        return {};
      },
      DiskRun::Sharing::ranges);
}

// ---- EXPAND

// False: there is no room for more states, waiting or visited.
bool FilteredSearch::store(DiskWorker& worker, Batch& batch, Fresh fresh) {
  if (fresh == Fresh::visited && (waiting_.count() >= most_waiting() || visited_.states() >= crowded_))
    return false;
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
  sieve_->judge(batch.keys, group, own.answers.data());
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
  while (!run_.halted() && !store(run_.disk_worker(0), batch)) make_room();
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
    while (!expander.run(sink) && !expander.rests()) make_room();
    while (!run_.rounds().drain([&](SearchWorker& worker) { return store_arrivals(worker); })) make_room();
    const bool rests = expander.rests();
    if (rests) {
      background_.pause();
      note_found_late();
    }
    rest_ = rests ? expander.rest() : std::vector<LogRange>();
    goes_on = run_.rounds().end_round(rests);
  }
}

// What other ranks found.
bool FilteredSearch::store_arrivals(SearchWorker& base) {
  DiskWorker& worker = run_.disk_worker(base.number);
  Expansion& out = base.out;
  Batch batch{nullptr, out.states.data(), worker.successor_keys.of_states(out.states.data(), out.count), 0};
  base.unstored = !store(worker, batch);
  return !base.unstored;
}

// Makes successors wait, without checking the states or counting what is fired: what is new is expanded in its turn.
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

// ---- DECIDE

// While they are decided in the background, some more may wait.
uint64_t FilteredSearch::most_waiting() const {
  return background_.active() ? 2 * round_limit_ : decider_.limit(table_bytes());
}

// For more waiting states, or for more visited ones.
void FilteredSearch::make_room() {
  // To make the filter anew takes as long as to decide, and a decision does both.
  if (visited_.states() >= crowded_) crowded_ = UINT64_MAX;
  finish_meanwhile();
  if (better_filter(Outlook::goes_on, 0) > 0) return decide();
  if (waiting_.count() >= most_waiting() && !begin_meanwhile()) decide();
}

// False: not in this search, or there is no room for the table.
bool FilteredSearch::begin_meanwhile() {
  const uint64_t table = background_.table_bytes();
  if (exact_levels_ || table > table_bytes() / 8 * 7) return false;
  round_limit_ = waiting_.count();
  sieve_->reserve(table);
  const StateSieve::Memory memory = sieve_->reserved_memory();
  if (Status status = background_.begin(memory.data, memory.bytes); !status.ok()) run_.fail(status);
  round_ = excess_.since(level_);
  return true;
}

// All of what is being decided in the background.
void FilteredSearch::finish_meanwhile() {
  if (!background_.active()) return;
  run_.phase(fmt::format("deciding {} waiting states", waiting_.count()));
  background_.finish();
  note_found_late();
}

// What was found in the background comes in the next level.
void FilteredSearch::note_found_late() {
  if (const uint64_t found = background_.found() - std::exchange(found_meanwhile_, background_.found());
      found > 0) {
    late_ += found;
    excess_.note_late(visited_.levels());
  }
  if (background_.active() || background_.rounds() == std::exchange(rounds_, background_.rounds())) return;
  sieve_->reserve(0);
  excess_.begin_waiting(round_);
}

void FilteredSearch::look_ahead() {
  if (is_precise()) return;
  decider_.look_ahead(table_bytes(), [&](const std::vector<LogRange>& waiting) { expand_waiting(waiting); });
  if (!decider_.dropped()) return;
  for (auto& thread : threads_) thread->latest.clear();
}

// In memory of the sieve, which then learns again what it has forgotten for that.
void FilteredSearch::decide(Outlook outlook) {
  if (waiting_.count() == 0 || run_.halted()) return;
  sweeps_ = false;
  run_.phase(fmt::format("deciding {} waiting states", waiting_.count()));
  background_.cancel();
  note_found_late();
  const bool had_table = sieve_->reserved_memory().bytes > 0;
  if (had_table) sieve_->reserve(0);
  const uint64_t needed = decider_.table_bytes();
  const bool anew = divide_sieve(outlook, needed);
  // Twice as much as is needed, if that is there: so large a table is fast.
  const StateSieve::Memory memory = sieve_->cache_memory();
  const uint64_t lent = std::min(memory.bytes, 2 * needed);
  const uint64_t before = visited_.states(), levels = visited_.levels();
  const bool dropped = decider_.dropped();
  // A filter that is made anew learns the visited states while they are read.
  Decider::Learn learn;
  if (anew)
    learn = [&](unsigned thread, uint64_t partition, const Keys& keys) {
      sieve_->learn(keys, visited_.batch(thread).whole(partition, keys), false);
    };
  const LevelMarks::Row ends = visited_.ends();
  if (Status status = decider_.decide(memory.data, lent, learn); !status.ok()) return run_.fail(status);
  if (run_.halted()) return;
  const uint64_t forgotten = sieve_->forget(dropped ? sieve_->bytes() : lent);
  if (anew) teach_rest(ends);
  teach_visited(anew || had_table ? visited_.partitions() : forgotten, false);
  if (visited_.states() > before) {
    late_ += visited_.states() - before;
    excess_.note_late(std::max(levels, visited_.levels() - 1));
  }
  excess_.begin_waiting(level_);
}

// A few partitions at a time, when all has been decided once and little is left: what is new is expanded at
// once, so that its successors are decided as soon as the turn of their partition comes, and not when all
// partitions have been read.
void FilteredSearch::decide_some() {
  run_.phase(fmt::format("deciding {} waiting states", waiting_.count()));
  const StateSieve::Memory memory = sieve_->cache_memory();
  const uint64_t lent = std::min(memory.bytes, 2 * decider_.table_bytes());
  const uint64_t before = visited_.states(), levels = visited_.levels();
  const Result<uint64_t> next = decider_.decide_some(sweep_, memory.data, lent);
  if (!next.ok()) return run_.fail(next.status());
  sweep_ = *next;
  sieve_->forget(lent);
  if (visited_.states() == before) return;
  late_ += visited_.states() - before;
  excess_.note_late(levels);
}

// ---- the levels

// All of the level is expanded.
void FilteredSearch::end_level() {
  run_.end_level();
  note_found_late();
  if (!run_.keeps_states()) visited_.discard(level_);
  if (run_.at_bound(level_)) run_.stop(StopReason::bound);
  if (exact_levels_) decide();
}

bool FilteredSearch::next_level() {
  const bool first = visited_.levels() == 0;
  const auto has_next = [&] { return first ? visited_.levels() > 0 : level_ + 1 < visited_.levels(); };
  // A decision may have left several levels.
  if (!has_next()) visited_.push_level();
  if (!has_next() && background_.active()) {
    finish_meanwhile();
    visited_.push_level();
  }
  bool any = run_.rounds().another_level(has_next());
  // All ranks decide together whether states wait anywhere.
  if (!any && run_.goes_on() && run_.ranks().any(waiting_.count() > 0)) {
    if (!sweeps_) {
      look_ahead();
      decide(Outlook::ends);
      sweeps_ = true;
    }
    if (!has_next()) visited_.push_level();
    while (!has_next() && run_.goes_on() && waiting_.count() > 0) {
      decide_some();
      visited_.push_level();
    }
    any = run_.rounds().another_level(has_next());
  }
  if (!any) return false;
  if (!has_next()) visited_.push_empty_level();
  if (!first) ++level_;
  excess_.begin_level();
  if (waiting_.count() == 0) excess_.begin_waiting(level_);
  run_.context.progress.begin_level(visited_.sizes()[level_]);
  return true;
}

void FilteredSearch::search(const std::vector<uint8_t>& unexpanded, const std::vector<uint8_t>& successors) {
  KeyMaker keys(run_.mode(), run_.state_bytes());
  const bool in_level = visited_.levels() > 0;
  if (in_level) level_ = visited_.levels() - 1;
  excess_.begin_waiting(level_);
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
  background_.cancel();
  note_found_late();
  LogHistory history(run_, [&](uint64_t level) { return visited_.level(level); });
  const double filter_bits = static_cast<double>(sieve_->filter_bits());
  sieve_.reset();  // its memory is for the paths
  Result<SearchResult> result =
      run_.finish({visited_.states(), visited_.sizes(), {}}, run_.keeps_states() ? &history : nullptr);
  if (!result.ok()) return result;
  result->full_detections = decider_.decisions() + background_.rounds();
  const double states = static_cast<double>(std::max<uint64_t>(visited_.states(), 1));
  result->details = {{"partitions", visited_.partitions()},
                     {"filter_bits_per_state", filter_bits / states},
                     {"waited_per_state", static_cast<double>(waiting_.decided()) / states},
                     {"late_states", late_}};
  if (!result->counterexamples.empty()) {
    const uint64_t shown = result->counterexamples.front().steps.size();
    result->longer_by_at_most = excess_.longer_by(shown == 0 ? 0 : shown - 1, level_, waiting_.count() > 0);
  }
  result->levels_exact = excess_.none() && result->longer_by_at_most == 0;
  return result;
}

}  // namespace strata
