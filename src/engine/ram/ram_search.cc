#include "engine/ram/ram_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/ram/compact_levels.h"

namespace strata {

namespace {

// For levels below this size, waking the other threads costs more than it saves.
constexpr uint64_t kSharedLevel = 128;

// The levels in the order of the table.
class TableHistory final : public History {
 public:
  TableHistory(const LevelTable& table, LevelStack& levels, WorkerPool& pool)
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
  const LevelTable& table_;
  LevelStack& levels_;
  WorkerPool& pool_;
};

}  // namespace

RamSearch::RamSearch(SearchRun& run, WhenFull when_full) : run_(run), when_full_(when_full) {}

RamSearch::~RamSearch() { run_.budget.release(charged_); }

void RamSearch::search() {
  if (!restored_) insert_initial();
  while (!pausing() && (std::exchange(restored_, false) ? run_.goes_on() : next_level())) {
    process_level();
    if (pausing()) break;
    if (run_.at_bound(level_)) run_.stop(StopReason::bound);
    if (full()) run_.stop(StopReason::memory);
    ++level_;
  }
  // The search in RAM may pause in the middle of a level; failures found so far do not end it here.
  paused_ = pausing() && run_.stopped() == StopReason::none;
}

Result<SearchResult> RamSearch::finish() {
  if (levels_->push()) level_sizes_.push_back(levels_->top_size());
  const SearchRun::Numbers numbers{table_->size(), level_sizes_, {}};
  if (compact_ != nullptr) {
    CompactLevels levels(*compact_, level_sizes_, CompactLevels::Order::descending, run_.pool(), run_.budget);
    return run_.finish(numbers, &levels);
  }
  TableHistory history(*table_, *levels_, run_.pool());
  return run_.finish(numbers, &history);
}

void RamSearch::visit_levels(const History::Visit& visit, const std::function<void()>& done, uint64_t first) {
  const uint64_t last = levels_->depth() - 1;
  if (compact_ != nullptr) {
    CompactLevels levels(*compact_, level_sizes_, CompactLevels::Order::ascending, run_.pool(), run_.budget);
    const auto visit_some = [&](unsigned thread, const uint8_t* states, uint64_t n) {
      if (!run_.halted()) visit(thread, states, n);
    };
    for (uint64_t level = first; level < last && !run_.halted(); ++level) {
      if (Status status = levels.visit(level, visit_some); !status.ok()) return run_.fail(status);
      done();
    }
    return;
  }
  std::vector<TableStretch> stretches;
  uint64_t level = 0;
  levels_->for_each_level(
      [&](uint64_t shard, uint64_t begin, uint64_t end) {
        if (level >= first && level < last) stretches.push_back({shard, begin, end});
      },
      [&] {
        const uint64_t here = level++;
        if (here < first || here == last) return;
        visit_stretches(stretches, visit);
        stretches.clear();
        done();
      });
}

void RamSearch::visit_stretches(const std::vector<TableStretch>& stretches, const History::Visit& visit) {
  uint64_t states = 0;
  for (const TableStretch& stretch : stretches) states += stretch.end - stretch.begin;
  std::atomic<uint64_t> next{0};
  const uint64_t run = std::min<uint64_t>(table_->run_length(), 1024);
  const auto work = [&](unsigned thread) {
    for (uint64_t i = next++; i < stretches.size(); i = next++) {
      const TableStretch& stretch = stretches[i];
      for (uint64_t at = stretch.begin; at < stretch.end && !run_.halted();) {
        const uint64_t n = std::min(stretch.end - at, run - at % run);
        visit(thread, table_->state(stretch.shard, at), n);
        at += n;
      }
    }
  };
  if (states < kSharedLevel) return work(0);
  run_.pool().run(work);
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

RamSearch::Rest RamSearch::copy_rest() const {
  Rest rest;
  for (const Thread& thread : threads_) {
    rest.unexpanded.insert(rest.unexpanded.end(), thread.unexpanded.begin(), thread.unexpanded.end());
    const std::vector<uint8_t>& refused = thread.inserter->refused();
    rest.refused.insert(rest.refused.end(), refused.begin(), refused.end());
  }
  rest.unexpanded.insert(rest.unexpanded.end(), in_hand_.begin(), in_hand_.end());
  return rest;
}

RamSearch::LevelParts RamSearch::level_parts() const {
  LevelParts parts;
  for (uint64_t shard = 0; shard < table_->shard_count(); ++shard) {
    const uint64_t begin = levels_->begin(shard), end = levels_->end(shard);
    const uint64_t middle = std::min(end, frontier_->untouched(shard));
    parts.expanded.push_back({shard, begin, middle});
    parts.open.push_back({shard, middle, end});
    parts.next.push_back({shard, end, table_->shard_size(shard)});
  }
  return parts;
}

// ---- restoring

void RamSearch::insert_restored(unsigned thread, const uint8_t* states, uint64_t n) {
  if (full()) return;
  if (threads_[thread].inserter->insert(states, n).full > 0) full_ = true;
}

void RamSearch::finish_inserts() {
  for (const Thread& thread : threads_)
    if (thread.inserter->finish().full > 0) full_ = true;
}

void RamSearch::end_restored_level() {
  finish_inserts();
  if (full()) return;
  levels_->push_level();
  level_ = level_sizes_.size();
  level_sizes_.push_back(levels_->top_size());
  table_->begin_level(level_ + 1, levels_->begins());
  if (levels_->out_of_memory()) full_ = true;
}

void RamSearch::begin_open() {
  finish_inserts();
  open_begins_.clear();
  for (uint64_t shard = 0; shard < table_->shard_count(); ++shard)
    open_begins_.push_back(table_->shard_size(shard));
}

bool RamSearch::end_restoring(const Rest& rest) {
  if (!rest.refused.empty())
    insert_restored(0, rest.refused.data(), rest.refused.size() / run_.info.state_bytes);
  finish_inserts();
  if (full()) return false;
  in_hand_ = rest.unexpanded;
  frontier_->load(*levels_, run_.threads(), open_begins_);
  run_.phase(fmt::format("expanding level {}", level_));
  restored_ = true;
  return true;
}

template <class Table>
Status RamSearch::make_table(const TableSizes& sizes, Table*& table) {
  Result<std::unique_ptr<Table>> made = Table::create(sizes, run_.budget);
  if (!made.ok()) return made.status();
  table = made->get();
  table_ = std::move(*made);
  return {};
}

Status RamSearch::prepare(const RamPlan& plan) {
  Status made = plan.compact ? make_table(plan.table, compact_) : make_table(plan.table, states_);
  if (!made.ok()) return made;
  levels_ = std::make_unique<LevelStack>(*table_, run_.budget);
  frontier_ = std::make_unique<Frontier>(*table_);
  threads_.resize(plan.table.threads);
  for (Thread& thread : threads_) {
    thread.inserter = table_->inserter();
    if (!thread.inserter || !run_.budget.reserve(plan.piece_bytes)) {
      return Status::limit(
          fmt::format("--memory {} is too small for {} threads; raise it, or lower --threads",
                      run_.options.given_memory(), threads_.size()),
          Reason::memory_to_begin);
    }
    charged_ += plan.piece_bytes;
    if (when_full_ != WhenFull::stop) thread.inserter->keep_refused();
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

// Makes a level of the states found last. False: there are none.
bool RamSearch::next_level() {
  if (!run_.rounds().another_level(levels_->grown())) return false;
  levels_->push_level();
  table_->begin_level(level_ + 1, levels_->begins());
  frontier_->load(*levels_, run_.threads());
  level_sizes_.push_back(frontier_->size());
  run_.context.progress.begin_level(frontier_->size());
  run_.phase(fmt::format("expanding level {}", level_));
  if (levels_->out_of_memory()) full_ = true;
  return true;
}

void RamSearch::process_level() {
  if (!in_hand_.empty()) expand_in_hand();
  bool goes_on = true;
  while (goes_on) {
    rests_ = false;
    if (frontier_->size() < kSharedLevel) {
      work(run_.worker(0));
    } else {
      run_.pool().run([&](unsigned i) { work(run_.worker(i)); });
    }
    if (pausing() && !leaving()) run_.rounds().call_rest();
    if (!leaving()) run_.rounds().drain([&](SearchWorker& worker) { return insert_arrivals(worker); });
    for (const Thread& thread : threads_) note_inserted(thread.inserter->finish());
    if (leaving()) break;
    // If any rank dropped states, no rank writes a checkpoint.
    if (full() && !pausing()) run_.stop(StopReason::memory);
    goes_on = run_.rounds().end_round(rests_ || pausing(), pausing() ? StopReason::memory : StopReason::none);
  }
  run_.end_level();
  if (!leaving() && checks_.due(table_->size())) require_invariants(*table_);
}

// Inserts states of other ranks. States without room are kept for the search on disk.
bool RamSearch::insert_arrivals(SearchWorker& worker) {
  if (!full() || pausing())
    note_inserted(threads_[worker.number].inserter->insert(worker.out.states.data(), worker.out.count));
  worker.unstored = false;
  return !leaving();
}

// Expands the states that threads had in hand when the restored search ended.
void RamSearch::expand_in_hand() {
  Thread& own = threads_.front();
  const std::vector<uint8_t> states = std::exchange(in_hand_, {});
  const uint64_t bytes = run_.info.state_bytes, most = Frontier::largest_piece(bytes) * bytes;
  for (uint64_t at = 0; at < states.size(); at += most) {
    const uint64_t n = std::min(most, states.size() - at);
    if (pausing()) {
      own.unexpanded.insert(own.unexpanded.end(), states.begin() + static_cast<int64_t>(at), states.end());
      break;
    }
    own.piece.resize(n + ChunkArena::kReadAhead);
    std::memcpy(own.piece.data(), states.data() + at, n);
    expand_piece(run_.worker(0), {own.piece.data(), n / bytes});
  }
  note_inserted(own.inserter->finish());
}

void RamSearch::work(SearchWorker& worker) {
  Thread& own = threads_[worker.number];
  while (!pausing()) {
    if (run_.saving().pause_wanted()) {
      rests_ = true;
      break;
    }
    const Frontier::Piece piece = frontier_->take(own.piece);
    if (piece.count == 0) break;
    expand_piece(worker, piece);
    if (run_.halted()) return;
  }
  const auto begin = Clock::now();
  note_inserted(own.inserter->finish());
  worker.seconds.insert += seconds_between(begin, Clock::now());
}

void RamSearch::expand_piece(SearchWorker& worker, const Frontier::Piece& piece) {
  Thread& own = threads_[worker.number];
  for (uint64_t done = 0; done < piece.count; done += worker.out.consumed) {
    if (run_.halted()) return;
    const uint8_t* states = piece.states + done * run_.info.state_bytes;
    if (pausing()) {
      own.unexpanded.insert(own.unexpanded.end(), states, piece.states + piece.count * run_.info.state_bytes);
      return;
    }
    if (!run_.receive(worker)) run_.expand(worker, states, piece.count - done, level_);
    if (!run_.charge(worker, worker.out.count)) full_.store(true, std::memory_order_relaxed);
    if (full() && !pausing()) continue;
    const auto begin = Clock::now();
    note_inserted(own.inserter->insert(worker.out.states.data(), worker.out.count));
    worker.seconds.insert += seconds_between(begin, Clock::now());
  }
}

void RamSearch::note_inserted(const InsertCounts& counts) {
  if (counts.full > 0) full_.store(true, std::memory_order_relaxed);
  run_.context.progress.states.fetch_add(counts.fresh, std::memory_order_relaxed);
  run_.context.progress.queue.fetch_add(counts.fresh, std::memory_order_relaxed);
}

}  // namespace strata
