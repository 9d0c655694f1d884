#include "search/filtered/filtered_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace strata {

namespace {

// Bits of the filter for each state when it is to be made anew.
constexpr uint64_t kCrowdedBits = 8;

}  // namespace

FilteredSearch::FilteredSearch(DiskRun& run, bool exact_levels) : run_(run), exact_levels_(exact_levels) {
  const FilteredPlan plan = plan_filtered(run_.plan_input());
  partition_bits_ = plan.partition_bits;
  sizes_ = plan.disk;
}

Status FilteredSearch::open() {
  const uint64_t n = uint64_t{1} << partition_bits_;
  if (Status status = run_.open_disk(sizes_); !status.ok()) return status;
  for (uint64_t p = 0; p < n; ++p)
    partitions_.push_back({run_.make_visited(fmt::format("visited.{}", p)), nullptr});
  marks_log_ = run_.make_log("levels", n * sizeof(uint64_t));
  marks_ = std::make_unique<LevelMarks>(*marks_log_, n);
  for (unsigned i = 0; i < run_.threads(); ++i)
    threads_.push_back(std::make_unique<Thread>(run_.mode(), run_.state_bytes()));
  return {};
}

LevelMarks::Row FilteredSearch::sizes_now() const {
  LevelMarks::Row row;
  for (const Partition& partition : partitions_) row.push_back(partition.visited->states().size());
  return row;
}

std::vector<LogRange> FilteredSearch::ranges(const LevelMarks::Row& begins,
                                             const LevelMarks::Row& ends) const {
  std::vector<LogRange> ranges;
  for (uint64_t p = 0; p < partitions_.size(); ++p)
    if (begins[p] < ends[p]) ranges.push_back({&partitions_[p].visited->states(), begins[p], ends[p], p});
  return ranges;
}

// ---- states to their partitions

// A counting sort of the keys for which wanted(i) is true.
template <class Wanted>
void FilteredSearch::order_by_partition(Thread& own, const Keys& keys, const Wanted& wanted) {
  own.unordered.resize(keys.count);
  own.places.resize(keys.count);
  own.hashes.resize(keys.count);
  own.starts.assign(partitions_.size() + 1, 0);
  uint64_t count = 0;
  for (uint64_t i = 0; i < keys.count; ++i) {
    if (!wanted(i)) continue;
    own.unordered[count++] = static_cast<uint32_t>(i);
    ++own.starts[partition_of(keys.hashes[i])];
  }
  uint32_t sum = 0;
  for (uint32_t& start : own.starts) sum += std::exchange(start, sum);
  for (uint64_t k = 0; k < count; ++k) {
    const uint32_t i = own.unordered[k];
    const uint32_t place = own.starts[partition_of(keys.hashes[i])]++;
    own.places[place] = i;
    own.hashes[place] = keys.hashes[i];
  }
  // Now starts[p] is where p + 1 begins.
  std::copy_backward(own.starts.begin(), own.starts.end() - 1, own.starts.end());
  own.starts[0] = 0;
}

void FilteredSearch::append_visited(unsigned thread, const uint8_t* states, uint64_t n) {
  Thread& own = *threads_[thread];
  const Keys keys = own.keys.of_states(states, n);
  order_by_partition(own, keys, [](uint64_t) { return true; });
  for (uint64_t p = 0; p < partitions_.size(); ++p) {
    const StateSieve::Group some = group(own, p);
    if (some.count == 0) continue;
    gather(own, some, keys, states, !run_.mode().exact(), [](uint64_t) { return true; });
    const Status status =
        partitions_[p].visited->append(own.states.data(), own.signatures.data(), some.count);
    if (!status.ok()) return run_.fail(status);
  }
  visited_.fetch_add(n, std::memory_order_relaxed);
}

void FilteredSearch::end_visited_level() { push_level(); }

// ---- the search

Status FilteredSearch::prepare() {
  const auto plan = run_.plan([&](const PlanInput& input) { return plan_filtered(input, visited_); });
  if (!plan.ok()) return plan.status();
  if (Status status = run_.make_workers(sizes_); !status.ok()) return status;
  const auto pool = run_.make_pool(sizes_.block, plan->waiting_blocks);
  if (!pool.ok()) return pool.status();
  for (uint64_t p = 0; p < partitions_.size(); ++p)
    partitions_[p].waiting = run_.make_log(fmt::format("waiting.{}", p), run_.state_bytes(), *pool);
  level_buffers_ = std::make_unique<BlendedBuffers>(run_, partitions_.size(), sizes_.block);
  if (!level_buffers_->ok()) return Status::limit("--memory is too small for blocks of states; raise it");
  if (!run_.budget.reserve(plan->latest * threads_.size()))
    return Status::limit("--memory is too small for a cache of states; raise it");
  auto sieve = StateSieve::create(run_.key_bytes(), partition_bits_, plan->sieve, plan->filter, run_.budget);
  if (!sieve.ok()) return sieve.status();
  sieve_ = std::move(*sieve);
  for (auto& thread : threads_) thread->latest.resize(run_.key_bytes(), plan->latest);
  teach_sieve();
  return {};
}

// The filter learns all states, also those that wait: it has to know whatever was met. The cache learns the last ones.
void FilteredSearch::teach_sieve() {
  run_.phase("reading visited states");
  std::vector<LogRange> waiting;
  for (uint64_t p = 0; p < partitions_.size(); ++p)
    waiting.push_back({partitions_[p].waiting.get(), 0, partitions_[p].waiting->size(), p});
  teach_sieve(std::move(waiting), DiskRun::Records::states, 0);
  teach_visited(partitions_.size(), true);
  crowded_ = sieve_->filter_bits() / kCrowdedBits;
}

// The cache learns the last states of the first partitions; the filter all, if asked to.
void FilteredSearch::teach_visited(uint64_t partitions, bool all) {
  std::vector<LogRange> ranges;
  const uint64_t recent = sieve_->recent_states() / partitions_.size();
  for (uint64_t p = 0; p < partitions; ++p) {
    StateLog& keys = partitions_[p].visited->keys();
    ranges.push_back({&keys, all ? 0 : keys.size() - std::min(keys.size(), recent), keys.size(), p});
  }
  teach_sieve(std::move(ranges), DiskRun::Records::keys, recent);
}

// The filter learns what is in some ranges, and the cache the last `recent` records of each.
void FilteredSearch::teach_sieve(std::vector<LogRange> ranges, DiskRun::Records records, uint64_t recent) {
  run_.read_keys(
      std::move(ranges), records, &TimeShares::insert,
      [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
        Thread& own = *threads_[worker.base.number];
        own.places.resize(piece.keys.count);
        std::iota(own.places.begin(), own.places.end(), 0);
        sieve_->learn(piece.keys, {piece.range.label, own.places.data(), piece.keys.hashes, piece.keys.count},
                      recent > 0 && piece.first + recent >= piece.range.end);
        return {};
      },
      DiskRun::Sharing::ranges);
}

// False: there is no room for more states, waiting or visited.
bool FilteredSearch::store(DiskWorker& worker, Batch& batch, Fresh fresh) {
  if (fresh == Fresh::visited && (waiting_.load(std::memory_order_relaxed) >= waiting_limit() ||
                                  visited_.load(std::memory_order_relaxed) >= crowded_))
    return false;
  TimeShares& seconds = worker.base.seconds;
  Thread& own = *threads_[worker.base.number];
  const auto begin = Clock::now();
  order_by_partition(own, batch.keys, [&](uint64_t i) {
    if (i + kKeysAhead < batch.keys.count) own.latest.fetch(batch.keys.hashes[i + kKeysAhead]);
    return !own.latest.meet(batch.keys.key(i), batch.keys.hashes[i]);
  });
  const auto ordered = Clock::now();
  seconds.partition += seconds_between(begin, ordered);
  own.fresh = own.doubtful = 0;
  // Blocks that fill up go to the disk together, when no lock is held.
  const HeldBack held(partitions_[0].visited->states().carrier());
  // Each thread begins elsewhere, so they seldom meet.
  const uint64_t n = partitions_.size(), first = n * worker.base.number / run_.threads();
  for (uint64_t i = 0; i < n; ++i) {
    const StateSieve::Group some = group(own, (first + i) & (n - 1));
    if (some.count == 0) continue;
    if (Status status = store_group(own, some, batch.keys, batch.states, fresh); !status.ok())
      run_.fail(status);
  }
  visited_.fetch_add(own.fresh, std::memory_order_relaxed);
  waiting_.fetch_add(own.doubtful, std::memory_order_relaxed);
  run_.note_found(own.fresh);
  seconds.insert += seconds_between(ordered, Clock::now());
  batch.done = batch.keys.count;
  return true;
}

Status FilteredSearch::store_group(Thread& own, const StateSieve::Group& group, const Keys& keys,
                                   const uint8_t* states, Fresh fresh) {
  using Answer = StateSieve::Answer;
  own.answers.resize(group.count);
  sieve_->judge(keys, group, own.answers.data());
  const Answer visited = fresh == Fresh::visited ? Answer::fresh : Answer::met;
  Partition& partition = partitions_[group.region];
  if (visited == Answer::fresh) {
    const uint64_t n = gather(own, group, keys, states, !run_.mode().exact(),
                              [&](uint64_t i) { return own.answers[i] == visited; });
    own.fresh += n;
    if (n > 0) {
      const Status status = partition.visited->append(own.states.data(), own.signatures.data(), n);
      if (!status.ok()) return status;
    }
  }
  const uint64_t n = gather(own, group, keys, states, false, [&](uint64_t i) {
    return own.answers[i] != Answer::met && own.answers[i] != visited;
  });
  own.doubtful += n;
  return n == 0 ? Status() : partition.waiting->append(own.states.data(), n);
}

void FilteredSearch::store_all(Batch batch) {
  while (!run_.halted() && !store(run_.disk_worker(0), batch)) make_room();
}

void FilteredSearch::expand_in_hand(const std::vector<uint8_t>& states) {
  const uint64_t bytes = run_.state_bytes(), count = states.size() / bytes;
  DiskWorker& worker = run_.disk_worker(0);
  Expansion& out = worker.base.out;
  for (uint64_t done = 0; done < count && !run_.halted(); done += out.consumed) {
    run_.expand(worker.base, states.data() + done * bytes, count - done, level_);
    store_all({nullptr, out.states.data(), worker.successor_keys.of_states(out.states.data(), out.count), 0});
  }
}

void FilteredSearch::expand_level(const std::vector<LogRange>& level) {
  run_.phase(fmt::format("expanding level {}", level_));
  BlendedExpander expander(run_, level, level_, *level_buffers_);
  while (!expander.run([&](DiskWorker& worker, Batch& batch) { return store(worker, batch); })) make_room();
}

// All of the level is expanded.
void FilteredSearch::end_level() {
  run_.end_level();
  if (!run_.keeps_states()) discard_level();
  if (run_.at_bound(level_)) run_.stop(StopReason::bound);
  if (exact_levels_) decide();
}

// Gives back the space of the level's states: their signatures stay, and nobody asks for paths.
void FilteredSearch::discard_level() {
  const Result<LevelMarks::Row> ends = marks_->at(level_);
  if (!ends.ok()) return run_.fail(ends.status());
  for (uint64_t p = 0; p < partitions_.size(); ++p)
    if (Status status = partitions_[p].visited->states().discard_before((*ends)[p]); !status.ok())
      run_.fail(status);
}

// Makes a level of what was found since the last one; false when that is nothing.
bool FilteredSearch::push_level(const LevelMarks::Row& ends) {
  const LevelMarks::Row begins =
      marks_->levels() == 0 ? LevelMarks::Row(partitions_.size(), 0) : marks_->recent(marks_->levels() - 1);
  const uint64_t size = std::accumulate(ends.begin(), ends.end(), uint64_t{0}) -
                        std::accumulate(begins.begin(), begins.end(), uint64_t{0});
  if (size == 0) return false;
  if (Status status = marks_->push(ends); !status.ok()) run_.fail(status);
  level_sizes_.push_back(size);
  return true;
}

bool FilteredSearch::next_level() {
  const bool first = level_sizes_.empty();
  const auto has_next = [&] { return first ? !level_sizes_.empty() : level_ + 1 < level_sizes_.size(); };
  // A decision may have left several levels.
  if (!has_next()) push_level();
  if (!has_next() && waiting_ > 0) {
    look_ahead();
    decide(Outlook::ends);
    if (!has_next()) push_level();
  }
  if (!has_next()) return false;
  if (!first) ++level_;
  excess_ = next_excess_;
  if (waiting_ == 0) note_oldest();
  run_.context.progress.level_done(level_sizes_[level_]);
  return true;
}

void FilteredSearch::search(const std::vector<uint8_t>& unexpanded, const std::vector<uint8_t>& successors) {
  KeyMaker keys(run_.mode(), run_.state_bytes());
  const bool in_level = marks_->levels() > 0;
  if (in_level) level_ = level_sizes_.size() - 1;
  note_oldest();
  store_all({nullptr, successors.data(),
             keys.of_states(successors.data(), successors.size() / run_.state_bytes()), 0});
  if (in_level) {
    expand_in_hand(unexpanded);
    expand_level(ranges(unexpanded_begin_, marks_->recent(level_)));
    end_level();
  }
  while (run_.goes_on() && next_level()) {
    const Result<std::vector<LogRange>> level = level_ranges(level_);
    if (!level.ok()) return run_.fail(level.status());
    expand_level(*level);
    end_level();
  }
  push_level();
}

// ---- levels and distances

// States begin to wait in the level at hand.
void FilteredSearch::note_oldest() {
  oldest_waiting_ = level_;
  excess_of_oldest_ = excess_;
}

// States that had waited, of levels up to this one: the distance of each one is at least that of the states whose
// successors wait the longest, plus one.
void FilteredSearch::note_late(uint64_t states, uint64_t last_level) {
  late_ += states;
  next_excess_ =
      std::max(next_excess_, last_level - std::min(last_level, oldest_waiting_ + 1) + excess_of_oldest_);
}

// What was not found yet is behind the level at hand, or behind a waiting state.
uint64_t FilteredSearch::longer_by(const Counterexample& counterexample) const {
  const auto distance = [](uint64_t level, uint64_t excess) { return level - std::min(level, excess); };
  uint64_t least = distance(level_, excess_);
  if (waiting_ > 0) least = std::min(least, distance(oldest_waiting_, excess_of_oldest_) + 1);
  const uint64_t steps = counterexample.steps.empty() ? 0 : counterexample.steps.size() - 1;
  return steps - std::min(steps, least);
}

Result<std::vector<LogRange>> FilteredSearch::level_ranges(uint64_t level) const {
  const Result<LevelMarks::Row> ends = marks_->at(level);
  if (!ends.ok()) return ends.status();
  if (level == 0) return ranges(LevelMarks::Row(partitions_.size(), 0), *ends);
  const Result<LevelMarks::Row> begins = marks_->at(level - 1);
  if (!begins.ok()) return begins.status();
  return ranges(*begins, *ends);
}

Result<SearchResult> FilteredSearch::finish() {
  LogHistory history(run_, [&](uint64_t level) { return level_ranges(level); });
  Result<SearchResult> result =
      run_.finish({visited_, level_sizes_, {}}, run_.keeps_states() ? &history : nullptr);
  if (!result.ok()) return result;
  result->full_detections = decisions_;
  const double states = static_cast<double>(std::max<uint64_t>(visited_, 1));
  result->details = {{"partitions", uint64_t{partitions_.size()}},
                     {"filter_bits_per_state", static_cast<double>(sieve_->filter_bits()) / states},
                     {"waited_per_state", static_cast<double>(waited_) / states},
                     {"late_states", late_}};
  if (!result->counterexamples.empty())
    result->longer_by_at_most = longer_by(result->counterexamples.front());
  result->levels_exact = next_excess_ == 0 && result->longer_by_at_most == 0;
  return result;
}

}  // namespace strata
