// `ram`: parallel breadth-first search with all states in RAM. The yardstick for every other search.
//
// Idea. The visited set is a StateTable, which keeps the states of each shard in order of discovery; so the table is
// also the queue: level d is, in each shard, a range of its array. A search is
//
//   insert the initial states                                                             level 0
//   while the last level is not empty:
//     threads take pieces of the level (Frontier), and for each piece:
//       model.expand      fires all rules, checks the properties, packs the successors    "generate"
//       table.insert      keeps those not seen before: the next level                     "insert"
//     a failure ends the search when its level is done (or goes on, --max-errors)
//
// Levels are processed completely before a failure is reported, and failures are ordered (Findings), so the shortest
// counterexample is found, and the same one for every number of threads. Its path is found by expanding the levels
// once more, backwards (trace_back.h), and replayed.
//
// RAM. A state costs its packed bytes, 5 to 6.3 bytes of index, and nothing else: no queue, no parent, no padding. The
// table, the threads' buffers and the levels' boundaries draw on one MemoryBudget: what --memory leaves above the
// resident size of the process when the search starts. When the budget is exhausted the level at hand is still
// expanded and checked, without keeping successors, and the search ends incomplete.
//
// Time. On a large model (n_peterson with 17.7 million states, a Neoverse N1) a rule costs 28 ns to fire and pack and 46 ns
// to look up: two cache misses, one in the index and one for the state, fetched together with dozens of others (14 ns
// each); the growing of the index is included. Threads meet only in the table's shards and once a level.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "search/frontier.h"
#include "search/level_stack.h"
#include "search/search_run.h"
#include "store/state_table.h"

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
    pool_.run([&](unsigned worker) {
      UntouchedVector<uint8_t> buffer;
      for (Frontier::Piece piece = frontier.take(buffer); piece.count > 0; piece = frontier.take(buffer))
        visit(worker, piece.states, piece.count);
    });
    return {};
  }

 private:
  const StateTable& table_;
  LevelStack& levels_;
  WorkerPool& pool_;
};

class RamSearch {
 public:
  explicit RamSearch(const SearchContext& context) : run_(context) {}

  Result<SearchResult> run();

 private:
  Status prepare();
  void insert_initial();
  bool next_level();
  void process_level();
  void work(SearchWorker& worker);
  void note_inserted(const InsertCounts& counts);

  SearchRun run_;
  std::unique_ptr<StateTable> table_;
  std::unique_ptr<LevelStack> levels_;
  std::unique_ptr<Frontier> frontier_;
  std::vector<std::unique_ptr<Inserter>> inserters_;  // one a thread
  std::vector<UntouchedVector<uint8_t>> pieces_;      // one a thread: pieces put together from several shards
  uint64_t level_ = 0;                                // the one being processed
  std::vector<uint64_t> level_sizes_;
  std::atomic<bool> full_{false};
};

Result<SearchResult> RamSearch::run() {
  if (Status status = prepare(); !status.ok()) return status;
  insert_initial();
  while (run_.goes_on() && next_level()) {
    process_level();
    if (run_.at_bound(level_)) run_.stop(StopReason::bound);
    if (full_) run_.stop(StopReason::memory);
    ++level_;
  }
  if (levels_->push()) level_sizes_.push_back(levels_->top_size());
  TableHistory history(*table_, *levels_, run_.pool());
  return run_.finish({table_->size(), level_sizes_, {}}, &history);
}

Status RamSearch::prepare() {
  const unsigned threads = std::max(run_.options.threads, 1u);
  const uint64_t state_bytes = run_.info.state_bytes;
  Result<std::unique_ptr<StateTable>> table = StateTable::create(state_bytes, threads, run_.budget);
  if (!table.ok()) return table.status();
  table_ = std::move(*table);
  levels_ = std::make_unique<LevelStack>(*table_, run_.budget);
  frontier_ = std::make_unique<Frontier>(*table_);
  pieces_.resize(threads);
  for (unsigned i = 0; i < threads; ++i) {
    inserters_.push_back(table_->inserter());
    const uint64_t pieces = Frontier::largest_piece(state_bytes) * state_bytes;
    if (!inserters_.back() || !run_.budget.reserve(pieces)) {
      return Status::limit(
          fmt::format("--memory {} MiB is too small for {} threads; raise it, or lower --threads",
                      run_.options.memory >> 20, threads));
    }
  }
  return run_.start(table_->batch_size());
}

void RamSearch::insert_initial() {
  const Expansion out = run_.initial();
  const uint64_t bytes = out.count * (run_.info.state_bytes + 2 * sizeof(uint32_t));
  if (run_.budget.reserve(bytes)) {
    note_inserted(inserters_.front()->insert(out.states.data(), out.count));
    note_inserted(inserters_.front()->finish());
    run_.budget.release(bytes);
  } else {
    full_ = true;
  }
  if (full_) run_.stop(StopReason::memory);
}

// Makes a level of the states found last; false when there are none.
bool RamSearch::next_level() {
  if (!levels_->push()) return false;
  frontier_->load(*levels_, run_.threads());
  level_sizes_.push_back(frontier_->size());
  run_.context.progress.level_done(frontier_->size());
  run_.context.progress.phase(fmt::format("expanding level {}", level_));
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
  UntouchedVector<uint8_t>& buffer = pieces_[worker.number];
  Inserter& inserter = *inserters_[worker.number];
  for (Frontier::Piece piece = frontier_->take(buffer); piece.count > 0; piece = frontier_->take(buffer)) {
    for (uint64_t done = 0; done < piece.count; done += worker.out.consumed) {
      if (run_.halted()) return;
      run_.expand(worker, piece.states + done * run_.info.state_bytes, piece.count - done, level_);
      if (!run_.charge(worker, worker.out.count)) full_.store(true, std::memory_order_relaxed);
      if (full_.load(std::memory_order_relaxed)) continue;
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

}  // namespace

Result<SearchResult> search_ram(const SearchContext& context) { return RamSearch(context).run(); }

}  // namespace strata
