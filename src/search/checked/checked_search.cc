#include "search/checked/checked_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/contract/parameters.h"

namespace strata {

CheckedSearch::CheckedSearch(DiskRun& run, TableKind table, BlockChoice& choice, uint64_t first_level)
    : run_(run), kind_(table), choice_(choice), first_level_(first_level), level_(first_level) {}

void CheckedSearch::make_files() {
  visited_ = run_.make_visited("visited");
  unchecked_ = run_.make_log("unchecked", run_.state_bytes());
}

CheckedPlan plan_checked(const PlanInput& input, TableKind table, uint64_t logs) {
  CheckedPlan plan;
  plan.shares = MemoryPlan(input.memory);
  plan.disk = disk_sizes(input, logs);
  give_disk(plan.shares, input, plan.disk);
  plan.table =
      plan.shares.give_rest("table", least_candidate_set_bytes(table, input.key_bytes, input.threads));
  return plan;
}

Status CheckedSearch::prepare(uint64_t table_bytes) {
  if (!visited_) make_files();
  return run_.make_table(kind_, table_bytes, table_);
}

Status CheckedSearch::begin() {
  const bool resumes = run_.resumes();
  if (Status status = run_.save_with([this](Image& image) { serialize(image); }); !status.ok()) return status;
  if (resumes) {
    reload();
    return {};
  }
  KeyMaker maker(run_.mode(), run_.state_bytes());
  run_.initial([&](const Expansion& some) {
    Batch batch{nullptr, some.states.data(), maker.of_states(some.states.data(), some.count), 0};
    while (!store(run_.disk_worker(0), batch) && run_.stopped() == StopReason::none) make_room();
  });
  check();
  end_level();
  return {};
}

void CheckedSearch::serialize(Image& image) {
  visited_->serialize(image);
  unchecked_->serialize(image);
  run_.serialize(image, "front", front_);
  image.value("in_level", in_level_);
  image.value("level", level_);
  image.value("begin", begin_);
  image.value("resumed", resumed_);
  image.list("level_sizes", level_sizes_);
  image.value("full_checks", full_checks_);
  image.value("partial_checks", partial_checks_);
  choice_.serialize(image);
}

// M has the keys of the unchecked states. If M is smaller than it was, the unchecked states are checked some at a time:
// they differ from each other.
void CheckedSearch::reload() {
  const uint64_t all = unchecked_->size();
  for (uint64_t begin = 0; begin < all && !run_.halted();) {
    const uint64_t end = std::min(all, begin + table_->capacity());
    table_->reserve(end - begin);
    run_.read_keys({{unchecked_.get(), begin, end}}, DiskRun::Records::states, &TimeShares::detect,
                   [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                     if (table_->load(worker.base.number, piece.keys)) return {};
                     return Status::internal("the unchecked states do not fit");
                   });
    if (end - begin == all) return;
    check_part(begin, end);
    begin = end;
  }
  if (run_.halted()) return;
  if (Status status = unchecked_->clear(); !status.ok()) run_.fail(status);
}

// Puts successors that are new to M into M and into the unchecked file. False: M is full.
bool CheckedSearch::store(DiskWorker& worker, Batch& batch) {
  TimeShares& seconds = worker.base.seconds;
  const Keys keys = batch.keys.from(batch.done);
  const uint64_t bytes = run_.state_bytes();
  const auto begin = Clock::now();
  worker.outcomes.resize(keys.count);
  const InsertCounts counts = table_->add(worker.base.number, keys, 0, worker.outcomes.data());
  const auto added = Clock::now();
  seconds.insert += seconds_between(begin, added);
  worker.states.resize(counts.fresh * bytes);
  uint64_t i = 0, fresh = 0;
  // States from the first one on that found no room are given to M again when it is empty.
  for (; i < keys.count && worker.outcomes[i] != Outcome::full; ++i) {
    if (worker.outcomes[i] != Outcome::fresh) continue;
    copy_bytes(worker.states.data() + fresh++ * bytes, batch.states + (batch.done + i) * bytes, bytes);
  }
  batch.done += i;
  if (Status status = unchecked_->append(worker.states.data(), fresh); !status.ok()) run_.fail(status);
  seconds.queue += seconds_between(added, Clock::now());
  return counts.full == 0;
}

void CheckedSearch::search() {
  while (run_.goes_on() && (in_level_ || !front_.empty())) {
    in_level_ = true;
    expand_level();
    in_level_ = false;
    if (run_.at_bound(level_)) run_.stop(StopReason::bound);
    check();
    ++level_;
    end_level();
  }
}

void CheckedSearch::expand_level() {
  run_.phase(fmt::format("expanding level {}", level_));
  LevelExpander expander(run_, front_, level_);
  const auto sink = [&](DiskWorker& worker, Batch& batch) { return store(worker, batch); };
  while (!expander.run(sink)) {
    if (expander.rests()) {
      front_ = expander.rest();
      run_.saving().checkpoint();
    } else {
      make_room();
    }
    run_.phase(fmt::format("expanding level {}", level_));
  }
}

// M is full: it grows, or is checked and emptied.
void CheckedSearch::make_room() {
  if (!table_->grow()) check();
}

void CheckedSearch::check() {
  if (table_->size() == 0 || run_.stopped() != StopReason::none) return;
  check_part(0, unchecked_->size());
  if (Status status = unchecked_->clear(); !status.ok()) run_.fail(status);
}

// Erases from M the keys that are in the chosen parts of the file, and appends the states whose keys are left. M has
// the keys of these unchecked states.
void CheckedSearch::check_part(uint64_t unchecked_begin, uint64_t unchecked_end) {
  StateLog& keys = visited_->keys();
  std::vector<BlockChoice::Part> parts = choice_.choose(keys.size(), keys.per_block());
  ++(choice_.was_full() ? full_checks_ : partial_checks_);
  run_.phase(fmt::format("checking level {} against {} visited states", level_, keys.size()));
  for (BlockChoice::Part& part : parts) {
    std::vector<uint64_t> erased(run_.threads());
    run_.read_keys({{&keys, part.begin, part.end}}, DiskRun::Records::keys, &TimeShares::detect,
                   [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                     table_->erase(piece.keys, &erased[worker.base.number]);
                     return {};
                   });
    for (const uint64_t count : erased) part.erased += count;
  }
  choice_.learn(parts);
  run_.read_keys({{unchecked_.get(), unchecked_begin, unchecked_end}}, DiskRun::Records::states,
                 &TimeShares::detect, [&](DiskWorker& worker, const DiskRun::Piece& piece) {
                   return run_.append_new(*table_, *visited_, worker, piece.keys, piece.records).status();
                 });
  table_->clear();
}

// Makes a level of the states found last.
void CheckedSearch::end_level() {
  StateLog& states = visited_->states();
  const uint64_t begin = begin_, end = states.size();
  begin_ = end;
  front_.clear();
  run_.end_level();
  // Files that only paths need are removed if no path is wanted.
  if (!run_.keeps_states()) {
    if (Status status = states.discard_before(begin); !status.ok()) run_.fail(status);
  }
  if (begin == end) return;
  front_ = {{&states, begin, end}};
  level_sizes_.push_back(end - begin);
  run_.context.progress.begin_level(end - begin);
}

void CheckedSearch::resume(std::vector<LogRange> queue) {
  front_ = std::move(queue);
  begin_ = resumed_ = visited_->states().size();
  level_ = first_level_ - 1;
}

LogRange CheckedSearch::level_range(uint64_t level) const {
  const uint64_t i = level - first_level_;
  return {&visited_->states(), resumed_ + level_sizes_.sum_of(i), resumed_ + level_sizes_.sum_of(i + 1)};
}

uint64_t CheckedSearch::count_states(std::vector<LogRange> before, uint64_t estimate, uint64_t memory) {
  StateLog& keys = visited_->keys();
  if (before.empty() && partial_checks_ == 0) return keys.size();
  table_.reset();
  before.push_back({&keys, 0, keys.size()});
  return run_.count_states(before, estimate, memory);
}

Result<SearchResult> CheckedSearch::finish(const SearchRun::Numbers& numbers, History& history) {
  table_.reset();  // its memory is for the paths
  Result<SearchResult> result = run_.finish(numbers, run_.keeps_states() ? &history : nullptr);
  if (!result.ok()) return result;
  result->full_detections = full_checks_;
  result->partial_detections = partial_checks_;
  return result;
}

TableKind table_kind(const SearchOptions& options) {
  return parameter<std::string>(options, "table") == "open" ? TableKind::open : TableKind::chained;
}

}  // namespace strata
