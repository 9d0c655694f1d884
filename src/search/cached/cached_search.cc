#include "search/cached/cached_search.h"

#include <fmt/format.h>

namespace strata {

CachedPlan plan_cached(const PlanInput& input, uint64_t logs) {
  CachedPlan plan;
  plan.shares = MemoryPlan(input.memory);
  plan.disk = disk_sizes(input, logs);
  give_disk(plan.shares, input, plan.disk);
  plan.cache = plan.shares.give_rest("cache", LossyCache::least_bytes(input.key_bytes));
  return plan;
}

Status CachedSearch::prepare(uint64_t cache_bytes) {
  if (!inserted_) make_files();
  cache_bytes_ = cache_bytes;
  return run_.make_cache(cache_bytes, table_);
}

Status CachedSearch::begin() {
  const bool resumes = run_.resumes();
  if (Status status = run_.save_with([this](Image& image) { serialize(image); }); !status.ok()) return status;
  if (resumes)
    reload();
  else
    begin_anew();
  return {};
}

void CachedSearch::serialize(Image& image) {
  inserted_->serialize(image);
  std::vector<LogRange> front;
  if (front_.log != nullptr) front.push_back(front_);
  run_.serialize(image, "front", front);
  if (!front.empty()) front_ = front.front();
  run_.serialize(image, "rest", rest_);
  image.value("in_level", in_level_);
  image.value("level", level_);
  image.list("level_sizes", level_sizes_);
  image.value("collisions", collisions_);
  image.value("sort_at", sort_at_);
}

// The table, which has its full size for that, gets all states again, the last ones last.
void CachedSearch::reload() {
  while (table_->grow()) {
  }
  StateLog& keys = inserted_->keys();
  run_.read_keys({{&keys, 0, keys.size()}}, DiskRun::Records::keys, &TimeShares::insert,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   worker.outcomes.resize(piece.keys.count);
                   table_->add(piece.keys, worker.outcomes.data());
                   return {};
                 });
}

void CachedSearch::begin_anew() {
  KeyMaker maker(run_.mode(), run_.state_bytes());
  run_.initial([&](const Expansion& some) {
    Batch batch{nullptr, some.states.data(), maker.of_states(some.states.data(), some.count), 0};
    while (!store(run_.disk_worker(0), batch)) table_->grow();
  });
  end_level();
}

// Puts successors that are not in the table into it, and into the queue. False: the table is to grow.
bool CachedSearch::store(DiskWorker& worker, Batch& batch) {
  TimeShares& seconds = worker.base.seconds;
  const Keys keys = batch.keys.from(batch.done);
  const uint8_t* states = batch.states + batch.done * run_.state_bytes();
  const auto begin = Clock::now();
  worker.outcomes.resize(keys.count);
  const LossyCache::Counts counts = table_->add(keys, worker.outcomes.data());
  if (counts.forgotten > 0) collisions_.fetch_add(counts.forgotten, std::memory_order_relaxed);
  const auto added = Clock::now();
  seconds.insert += seconds_between(begin, added);
  const uint64_t fresh = run_.gather(worker, keys, states, counts.done,
                                     [&](uint64_t i) { return worker.outcomes[i] == Outcome::fresh; });
  run_.note_found(fresh);
  const Status status = inserted_->append(worker.states.data(), worker.signatures.data(), fresh);
  if (!status.ok()) run_.fail(status);
  seconds.queue += seconds_between(added, Clock::now());
  batch.done += counts.done;
  return counts.done == keys.count;
}

CachedSearch::End CachedSearch::search(const std::atomic<bool>* stop) {
  while (run_.goes_on() && front_.begin < front_.end) {
    const bool resumed = in_level_;
    if (!resumed && stop != nullptr && stop->load(std::memory_order_relaxed)) return End::signal;
    if (!resumed && collision_rate() >= gamma_ && collisions_ > 0) return End::collisions;
    if (!resumed) {
      if (const std::optional<End> end = find_repeats()) return *end;
      rest_ = {front_};
    }
    in_level_ = true;
    expand_level();
    in_level_ = false;
    if (run_.at_bound(level_)) run_.stop(StopReason::bound);
    ++level_;
    end_level();
  }
  return End::done;
}

void CachedSearch::expand_level() {
  run_.phase(fmt::format("expanding level {}", level_));
  LevelExpander expander(run_, rest_, level_);
  while (!expander.run([&](DiskWorker& worker, Batch& batch) { return store(worker, batch); })) {
    if (expander.rests()) {
      rest_ = expander.rest();
      run_.saving().checkpoint();
    } else {
      table_->grow();
    }
  }
}

// Whether the search ends because of states that were inserted more than once.
std::optional<CachedSearch::End> CachedSearch::find_repeats() {
  StateLog& keys = inserted_->keys();
  if (collisions_ == 0) return std::nullopt;
  if (sort_at_ == 0) sort_at_ = 2 * keys.size();
  if (keys.size() < sort_at_) return std::nullopt;
  sort_at_ = 2 * keys.size();
  drop_table();
  const uint64_t before =
      run_.count_states({{&keys, 0, keys.size() - (front_.end - front_.begin)}}, 0, cache_bytes_);
  const uint64_t all = run_.count_states({{&keys, 0, keys.size()}}, keys.size(), cache_bytes_);
  if (Status status = run_.make_cache(cache_bytes_, table_); !status.ok()) run_.fail(status);
  if (all == before) return End::done;
  if (keys.size() / kMostRepeats >= all) return End::repeats;
  return std::nullopt;
}

// Makes a level of the states found last.
void CachedSearch::end_level() {
  StateLog& states = inserted_->states();
  const uint64_t begin = front_.end, end = states.size();
  run_.end_level();
  if (!run_.keeps_states()) {
    if (Status status = states.discard_before(begin); !status.ok()) run_.fail(status);
  }
  front_ = {&states, begin, end};
  if (begin == end) return;
  level_sizes_.push_back(end - begin);
  run_.context.progress.begin_level(end - begin);
}

LogRange CachedSearch::level_range(uint64_t level) const {
  return {&inserted_->states(), level_sizes_.sum_of(level), level_sizes_.sum_of(level + 1)};
}

}  // namespace strata
