#include "explore/ram/ram_search.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {

namespace {

// Levels below this size are not worth waking the other threads.
constexpr uint64_t kSharedLevel = 128;

// The levels as they stand in the table.
class TableHistory final : public History {
 public:
  TableHistory(const StateTable& table, LevelStack& levels, WorkerPool& pool)
      : table_(table), levels_(levels), pool_(pool) {}

  Status visit(uint64_t epoch, const Visit& visit) override {
    while (levels_.depth() > epoch + 1) levels_.pop();
    Frontier frontier(table_);
    frontier.load(levels_, pool_.threads());
    const auto work = [&](unsigned worker) {
      UntouchedVector<uint8_t> buffer;
      for (Frontier::Piece piece = frontier.take(buffer); piece.count > 0; piece = frontier.take(buffer))
        visit(worker, piece.states, piece.count);
    };
    if (frontier.size() < kSharedLevel) {
      work(0);
    } else {
      pool_.run(work);
    }
    return {};
  }

 private:
  const StateTable& table_;
  LevelStack& levels_;
  WorkerPool& pool_;
};

}  // namespace

RamSearch::RamSearch(SearchRun& run, WhenFull when_full) : run_(run), when_full_(when_full) {}

RamSearch::~RamSearch() { run_.budget.release(charged_); }

void RamSearch::search() {
  insert_initial();
  while (run_.goes_on() && !pausing() && next_level()) {
    process_level();
    if (pausing()) break;
    if (run_.at_bound(level_)) run_.stop(StopReason::bound);
    if (full()) run_.stop(StopReason::memory);
    ++level_;
  }
  // What was found in a level that is not done yet is no reason to end it here.
  paused_ = pausing() && run_.stopped() == StopReason::none;
}

Result<SearchResult> RamSearch::finish() {
  if (levels_->push()) level_sizes_.push_back(levels_->top_size());
  TableHistory history(*table_, *levels_, run_.pool());
  return run_.finish({table_->size(), level_sizes_, {}}, &history);
}

RamSearch::Rest RamSearch::take_rest() {
  Rest rest;
  for (Thread& thread : threads_) {
    rest.unexpanded.insert(rest.unexpanded.end(), thread.unexpanded.begin(), thread.unexpanded.end());
    const std::vector<uint8_t> refused = thread.inserter->take_refused();
    rest.refused.insert(rest.refused.end(), refused.begin(), refused.end());
    thread = {};
  }
  return rest;
}

Status RamSearch::prepare(const RamPlan& plan) {
  Result<std::unique_ptr<StateTable>> table = StateTable::create(plan.table, run_.budget);
  if (!table.ok()) return table.status();
  table_ = std::move(*table);
  levels_ = std::make_unique<LevelStack>(*table_, run_.budget);
  frontier_ = std::make_unique<Frontier>(*table_);
  threads_.resize(plan.table.threads);
  for (Thread& thread : threads_) {
    thread.inserter = table_->inserter();
    if (!thread.inserter || !run_.budget.reserve(plan.piece_bytes)) {
      return Status::limit(
          fmt::format("--memory {} MiB is too small for {} threads; raise it, or lower --threads",
                      run_.options.memory >> 20, threads_.size()));
    }
    charged_ += plan.piece_bytes;
    if (when_full_ == WhenFull::pause) thread.inserter->keep_refused();
  }
  return run_.start(plan.batch);
}

void RamSearch::insert_initial() {
  Inserter& inserter = *threads_.front().inserter;
  run_.initial([&](const Expansion& some) {
    if (full()) return;
    note_inserted(inserter.insert(some.states.data(), some.count));
    note_inserted(inserter.finish());
  });
  if (full() && !pausing()) run_.stop(StopReason::memory);
}

// Makes a level of the states found last; false when there are none.
bool RamSearch::next_level() {
  if (!levels_->push()) return false;
  frontier_->load(*levels_, run_.threads());
  level_sizes_.push_back(frontier_->size());
  run_.context.progress.level_done(frontier_->size());
  run_.phase(fmt::format("expanding level {}", level_));
  if (levels_->out_of_memory()) full_ = true;
  return true;
}

void RamSearch::process_level() {
  if (frontier_->size() < kSharedLevel) {
    work(run_.worker(0));
  } else {
    run_.pool().run([&](unsigned i) { work(run_.worker(i)); });
  }
  run_.end_level();
}

void RamSearch::work(SearchWorker& worker) {
  Thread& own = threads_[worker.number];
  Inserter& inserter = *own.inserter;
  while (!pausing()) {
    const Frontier::Piece piece = frontier_->take(own.piece);
    if (piece.count == 0) break;
    for (uint64_t done = 0; done < piece.count; done += worker.out.consumed) {
      if (run_.halted()) return;
      if (to_disk()) full_.store(true, std::memory_order_relaxed);
      const uint8_t* states = piece.states + done * run_.info.state_bytes;
      if (pausing()) {
        own.unexpanded.assign(states, piece.states + piece.count * run_.info.state_bytes);
        break;
      }
      run_.expand(worker, states, piece.count - done, level_);
      if (!run_.charge(worker, worker.out.count)) full_.store(true, std::memory_order_relaxed);
      if (full() && !pausing()) continue;
      const auto begin = Clock::now();
      note_inserted(inserter.insert(worker.out.states.data(), worker.out.count));
      worker.seconds.insert += seconds_between(begin, Clock::now());
    }
  }
  const auto begin = Clock::now();
  note_inserted(inserter.finish());
  worker.seconds.insert += seconds_between(begin, Clock::now());
}

void RamSearch::note_inserted(const InsertCounts& counts) {
  if (counts.full > 0) full_.store(true, std::memory_order_relaxed);
  run_.context.progress.states.fetch_add(counts.fresh, std::memory_order_relaxed);
  run_.context.progress.queue.fetch_add(counts.fresh, std::memory_order_relaxed);
}

}  // namespace strata
