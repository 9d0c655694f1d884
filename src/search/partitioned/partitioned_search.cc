#include "search/partitioned/partitioned_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace strata {

PartitionedSearch::PartitionedSearch(DiskRun& run, DetectionPolicy& policy, const PartitionOptions& options)
    : run_(run), policy_(policy), options_(options) {}

Status PartitionedSearch::prepare() {
  const auto memory = run_.plan([&](const PlanInput& input) { return plan_memory(input); });
  if (!memory.ok()) return memory.status();
  if (Status status = run_.start_on_disk(memory->disk); !status.ok()) return status;
  const uint64_t n = memory->partitions;
  run_.shape.partitions = n;
  for (uint64_t p = 0; p < n; ++p) {
    partitions_.push_back({run_.make_visited(fmt::format("visited.{}", p)),
                           run_.make_visited(fmt::format("candidates.{}", p)),
                           run_.make_log(fmt::format("successors.{}", p), run_.state_bytes())});
  }
  marks_log_ = run_.make_log("levels", n * sizeof(uint64_t));
  marks_ = std::make_unique<LevelMarks>(*marks_log_, n);
  lengths_.emplace(options_.partial, LevelMarks::kWindow + CandidateSet::kMostLabel + 1, run_.threads());
  return make_tables();
}

// The memory is planned again each time: successors may have taken a little of it.
Status PartitionedSearch::make_tables() {
  const auto memory = run_.plan([&](const PlanInput& input) { return plan_memory(input); });
  if (!memory.ok()) return memory.status();
  if (Status status = run_.make_cache(memory->cache, cache_); !status.ok()) return status;
  return run_.make_table(TableKind::chained, memory->table, table_);
}

void PartitionedSearch::release_tables() {
  cache_.reset();
  table_.reset();
}

Status PartitionedSearch::begin() {
  const bool resumes = run_.resumes();
  if (Status status = run_.save_with([this](Image& image) { serialize(image); }); !status.ok()) return status;
  if (!resumes) begin_anew();
  return {};
}

// The content of the cache is not saved: it only keeps duplicates away from T.
void PartitionedSearch::serialize(Image& image) {
  for (Partition& partition : partitions_) {
    partition.visited->serialize(image);
    partition.candidates->serialize(image);
    partition.fresh->serialize(image);
  }
  marks_log_->serialize(image);
  if (image.restores() && image.ok()) image.fail(marks_->reload());
  uint64_t pending_levels = candidate_ends_.size();
  image.value("pending", pending_levels);
  if (image.restores() && image.ok()) candidate_ends_.resize(pending_levels);
  for (LevelMarks::Row& row : candidate_ends_) image.list("row", row);
  run_.serialize(image, "front", front_);
  image.value("level", level_);
  image.value("in_level", in_level_);
  image.value("bound", bound_);
  image.list("level_sizes", level_sizes_);
  lengths_->serialize(image);
  image.list("worthwhile", worthwhile_);
  image.value("full", full_);
  image.value("partial", partial_);
  image.value("delayed", delayed_);
  image.value("records_read", records_read_);
  image.value("records_written", records_written_);
  policy_.serialize(image);
}

void PartitionedSearch::begin_anew() {
  KeyMaker maker(run_.mode(), run_.state_bytes());
  run_.initial([&](const Expansion& some) {
    Batch batch{nullptr, some.states.data(), maker.of_states(some.states.data(), some.count), 0};
    while (!store(run_.disk_worker(0), batch)) cache_->grow();
  });
  merge(true);
}

void PartitionedSearch::search() {
  while (advance()) {
  }
  decide_all();
  // A level of which detection left nothing was not cut off.
  if (bound_ && level_sizes_.size() > *run_.options.bound) run_.stop(StopReason::bound);
}

bool PartitionedSearch::advance() {
  if (!run_.goes_on() || bound_ || (front_.empty() && !in_level_)) return false;
  in_level_ = true;
  expand_level();
  in_level_ = false;
  run_.end_level();
  bound_ = run_.at_bound(level_);
  ++level_;
  merge(bound_ || !run_.goes_on());
  return true;
}

// Decides all delayed states.
void PartitionedSearch::decide_all() {
  if (pending() > 0) merge(true);
}

void PartitionedSearch::expand_level() {
  run_.phase(fmt::format("expanding level {}", level_));
  LevelExpander expander(run_, front_, level_);
  while (!expander.run([&](DiskWorker& worker, Batch& batch) { return store(worker, batch); })) {
    if (expander.rests()) {
      front_ = expander.rest();
      run_.saving().checkpoint();
    } else {
      cache_->grow();
    }
  }
}

// Puts successors that are not in the cache into T. False: the cache is to grow.
bool PartitionedSearch::store(DiskWorker& worker, Batch& batch) {
  TimeShares& seconds = worker.base.seconds;
  const Keys keys = batch.keys.from(batch.done);
  const uint8_t* states = batch.states + batch.done * run_.state_bytes();
  const auto begin = Clock::now();
  worker.outcomes.resize(keys.count);
  const uint64_t added_keys = cache_->add(keys, worker.outcomes.data()).done;
  const auto added = Clock::now();
  seconds.insert += seconds_between(begin, added);
  worker.partitions.resize(added_keys);
  for (uint64_t i = 0; i < added_keys; ++i) {
    worker.partitions[i] = worker.outcomes[i] == Outcome::fresh
                               ? static_cast<uint32_t>(partition_of(keys.hashes[i]))
                               : DiskRun::kNoPartition;
  }
  DiskRun::sort_by_partition(worker, worker.partitions.data(), states, added_keys, run_.state_bytes(),
                             partitions_.size());
  const auto sorted = Clock::now();
  seconds.partition += seconds_between(added, sorted);
  const Result<uint64_t> written =
      run_.append_sorted(worker, [&](uint32_t p) -> StateLog& { return *partitions_[p].fresh; });
  if (!written.ok()) run_.fail(written.status());
  records_written_.fetch_add(written.ok() ? *written : 0, std::memory_order_relaxed);
  seconds.queue += seconds_between(sorted, Clock::now());
  batch.done += added_keys;
  return added_keys == keys.count;
}

// ---- the end

std::vector<LogRange> PartitionedSearch::visited_ranges() {
  std::vector<LogRange> ranges;
  for (Partition& partition : partitions_)
    ranges.push_back({&partition.visited->states(), 0, partition.visited->states().size(), 0});
  return ranges;
}

Result<std::vector<LogRange>> PartitionedSearch::level_ranges(uint64_t level) {
  std::vector<LogRange> ranges;
  LevelMarks::Row begins(partitions_.size(), 0), ends;
  const bool visited = level < marks_->levels();
  if (visited) {
    Result<LevelMarks::Row> row = marks_->at(level);
    if (!row.ok()) return row.status();
    ends = *row;
    if (level > 0) {
      Result<LevelMarks::Row> before = marks_->at(level - 1);
      if (!before.ok()) return before.status();
      begins = *before;
    }
  } else {
    const uint64_t age = level - marks_->levels();
    ends = candidate_ends_[age];
    if (age > 0) begins = candidate_ends_[age - 1];
  }
  for (uint64_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    ranges.push_back(
        {visited ? &partition.visited->states() : &partition.candidates->states(), begins[p], ends[p], p});
  }
  return ranges;
}

Result<SearchResult> PartitionedSearch::finish() {
  LogHistory history(run_, [&](uint64_t level) { return level_ranges(level); });
  const bool cut = run_.stopped() != StopReason::none && run_.stopped() != StopReason::bound;
  uint64_t states = 0;
  for (Partition& partition : partitions_) {
    states += partition.visited->states().size();
    // If the search was cut off, these may be duplicates.
    if (!cut) states += partition.candidates->states().size();
  }
  release_tables();  // their memory is for the paths
  Result<SearchResult> result =
      run_.finish({states, level_sizes_, {}}, run_.keeps_states() ? &history : nullptr);
  if (!result.ok()) return result;
  result->full_detections = full_;
  result->partial_detections = partial_;
  result->delayed_detections = delayed_;
  result->details.push_back({"partitions", uint64_t{partitions_.size()}});
  return result;
}

}  // namespace strata
