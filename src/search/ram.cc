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
#include <chrono>
#include <memory>
#include <system_error>

#include "search/algorithm.h"
#include "search/findings.h"
#include "search/frontier.h"
#include "search/level_stack.h"
#include "search/replay.h"
#include "search/trace_back.h"
#include "search/worker_pool.h"
#include "store/state_table.h"

namespace strata {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Levels below this size are not worth waking the other threads.
constexpr uint64_t kSharedLevel = 128;

// What one thread owns.
struct alignas(128) Worker {
  Worker(const ModelInfo& info, uint64_t capacity, const SearchOptions& options)
      : out(info, capacity), findings(std::max<uint64_t>(options.max_errors, 1)) {}

  Expansion out;
  std::unique_ptr<Inserter> inserter;
  UntouchedVector<uint8_t> buffer;  // pieces put together from several shards
  Findings findings;
  uint64_t charged = 0;  // successors whose room in `out` was drawn from the budget
  uint64_t transitions = 0, expansions = 0;
  double generate = 0, insert = 0;
};

class RamSearch {
 public:
  explicit RamSearch(const SearchContext& context)
      : context_(context),
        model_(context.model),
        info_(context.model.info()),
        resident_(resident_bytes()),
        budget_(usable_memory(context.options.memory, resident_)),
        findings_(std::max<uint64_t>(context.options.max_errors, 1)),
        began_(Clock::now()) {}

  Result<SearchResult> run();

 private:
  // What the process holds already is not the search's to spend; but a very small --memory leaves it at least half.
  static uint64_t usable_memory(uint64_t memory, uint64_t resident) {
    return std::max(memory - std::min(memory, resident), memory / 2);
  }

  Status prepare();
  Status insert_initial();
  bool next_level();
  void process_level(bool expand);
  void work(Worker& worker, bool expand);
  void expand_batch(Worker& worker, const uint8_t* states, uint64_t n);
  void check_batch(Worker& worker, const uint8_t* states, uint64_t n);
  void note_failures(Worker& worker, const uint8_t* states);
  void note_inserted(const InsertCounts& counts);
  void charge(Worker& worker, uint64_t successors);
  bool halted();
  Result<SearchResult> finish();
  void judge(SearchResult& result);
  void find_missed_covers(SearchResult& result);
  std::string stop_message() const;

  bool at_bound() const { return context_.options.bound && level_ >= *context_.options.bound; }

  const SearchContext& context_;
  const Model& model_;
  const ModelInfo& info_;
  const uint64_t resident_;
  MemoryBudget budget_;
  std::unique_ptr<StateTable> table_;
  std::unique_ptr<WorkerPool> pool_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<LevelStack> levels_;
  std::unique_ptr<Frontier> frontier_;
  Findings findings_;
  uint64_t level_ = 0;  // the one being processed
  std::vector<uint64_t> level_sizes_;
  const Clock::time_point began_;
  std::atomic<bool> full_{false};
  std::atomic<StopReason> stop_{StopReason::none};
};

Result<SearchResult> RamSearch::run() {
  if (Status status = prepare(); !status.ok()) return status;
  if (Status status = insert_initial(); !status.ok()) return status;
  while (!findings_.complete() && stop_ == StopReason::none && next_level()) {
    const bool expand = !at_bound();
    process_level(expand);
    if (!expand && stop_ == StopReason::none) stop_ = StopReason::bound;
    if (full_ && stop_ == StopReason::none) stop_ = StopReason::memory;
    ++level_;
  }
  return finish();
}

Status RamSearch::prepare() {
  const unsigned threads = std::max(context_.options.threads, 1u);
  Result<std::unique_ptr<StateTable>> table = StateTable::create(info_.state_bytes, threads, budget_);
  if (!table.ok()) return table.status();
  table_ = std::move(*table);
  levels_ = std::make_unique<LevelStack>(*table_, budget_);
  frontier_ = std::make_unique<Frontier>(*table_);
  const uint64_t capacity = std::max(table_->batch_size(), 2 * info_.max_successors);
  for (unsigned i = 0; i < threads; ++i) {
    auto worker = std::make_unique<Worker>(info_, capacity, context_.options);
    worker->inserter = table_->inserter();
    const uint64_t pieces = Frontier::largest_piece(info_.state_bytes) * info_.state_bytes;
    if (!worker->inserter || !budget_.reserve(pieces)) {
      return Status::limit(
          fmt::format("--memory {} MiB is too small for {} threads; raise it, or lower --threads",
                      context_.options.memory >> 20, threads));
    }
    worker->out.deadlock = context_.options.deadlock;
    worker->out.put = context_.put;
    worker->out.put_context = context_.put_context;
    charge(*worker, table_->batch_size());
    workers_.push_back(std::move(worker));
  }
  try {
    pool_ = std::make_unique<WorkerPool>(threads);
  } catch (const std::system_error& error) {
    return Status::system(fmt::format("cannot start {} threads: {}; lower --threads", threads, error.what()));
  }
  return {};
}

Status RamSearch::insert_initial() {
  context_.progress.phase("initial states");
  Expansion out(info_, std::max<uint64_t>(info_.max_initial, 1));
  out.put = context_.put;
  out.put_context = context_.put_context;
  model_.initial(out);
  for (const Failure& failure : out.failures) findings_.add(0, failure, nullptr, 0);
  Worker& first = *workers_.front();
  for (uint64_t i = 0; i < out.covered.size(); ++i) first.out.covered[i] |= out.covered[i];
  const uint64_t bytes = out.count * (info_.state_bytes + 2 * sizeof(uint32_t));
  if (budget_.reserve(bytes)) {
    note_inserted(first.inserter->insert(out.states.data(), out.count));
    note_inserted(first.inserter->finish());
    budget_.release(bytes);
  } else {
    full_ = true;
  }
  if (full_) stop_ = StopReason::memory;
  return {};
}

// Makes a level of the states found last; false when there are none.
bool RamSearch::next_level() {
  if (!levels_->push()) return false;
  frontier_->load(*levels_, pool_->threads());
  level_sizes_.push_back(frontier_->size());
  context_.progress.level_done(frontier_->size());
  context_.progress.phase(fmt::format("expanding level {}", level_));
  if (levels_->out_of_memory()) full_ = true;
  return true;
}

void RamSearch::process_level(bool expand) {
  if (frontier_->size() < kSharedLevel) {
    work(*workers_.front(), expand);
  } else {
    pool_->run([&](unsigned i) { work(*workers_[i], expand); });
  }
  for (const auto& worker : workers_) findings_.merge(worker->findings);
  context_.progress.memory_used.store(resident_ + budget_.used(), std::memory_order_relaxed);
}

void RamSearch::work(Worker& worker, bool expand) {
  for (Frontier::Piece piece = frontier_->take(worker.buffer); piece.count > 0;
       piece = frontier_->take(worker.buffer)) {
    for (uint64_t done = 0; done < piece.count; done += worker.out.consumed) {
      if (halted()) return;
      const uint8_t* states = piece.states + done * info_.state_bytes;
      worker.out.reset();
      if (expand) {
        expand_batch(worker, states, piece.count - done);
      } else {
        check_batch(worker, states, piece.count - done);
      }
    }
  }
  const auto begin = Clock::now();
  note_inserted(worker.inserter->finish());
  worker.insert += seconds_between(begin, Clock::now());
}

void RamSearch::expand_batch(Worker& worker, const uint8_t* states, uint64_t n) {
  Expansion& out = worker.out;
  const auto begin = Clock::now();
  model_.expand(states, n, out);
  const auto generated = Clock::now();
  worker.generate += seconds_between(begin, generated);
  worker.transitions += out.transitions;
  worker.expansions += out.consumed;
  context_.progress.transitions.fetch_add(out.transitions, std::memory_order_relaxed);
  context_.progress.queue.fetch_sub(out.consumed, std::memory_order_relaxed);
  if (!out.failures.empty()) note_failures(worker, states);
  if (out.count > worker.charged) charge(worker, out.count);
  if (full_.load(std::memory_order_relaxed)) return;
  note_inserted(worker.inserter->insert(out.states.data(), out.count));
  worker.insert += seconds_between(generated, Clock::now());
}

void RamSearch::check_batch(Worker& worker, const uint8_t* states, uint64_t n) {
  const auto begin = Clock::now();
  model_.check(states, n, worker.out);
  worker.out.consumed = n;
  worker.generate += seconds_between(begin, Clock::now());
  note_failures(worker, states);
}

void RamSearch::note_failures(Worker& worker, const uint8_t* states) {
  for (const Failure& failure : worker.out.failures) {
    worker.findings.add(level_, failure, states + failure.state * info_.state_bytes, info_.state_bytes);
  }
}

void RamSearch::note_inserted(const InsertCounts& counts) {
  if (counts.full > 0) full_.store(true, std::memory_order_relaxed);
  context_.progress.states.fetch_add(counts.fresh, std::memory_order_relaxed);
  context_.progress.queue.fetch_add(counts.fresh, std::memory_order_relaxed);
}

// The buffer for successors is as large as the model might need, but only what is used counts.
void RamSearch::charge(Worker& worker, uint64_t successors) {
  const uint64_t bytes = (successors - worker.charged) * (info_.state_bytes + 2 * sizeof(uint32_t));
  if (!budget_.reserve(bytes)) full_.store(true, std::memory_order_relaxed);
  worker.charged = successors;
}

// Whether the search is to end now, in the midst of a level.
bool RamSearch::halted() {
  if (stop_.load(std::memory_order_relaxed) != StopReason::none) return true;
  StopReason reason = StopReason::none;
  if (context_.stop.load(std::memory_order_relaxed)) {
    reason = StopReason::interrupted;
  } else if (context_.options.time_limit &&
             seconds_between(began_, Clock::now()) > *context_.options.time_limit) {
    reason = StopReason::time;
  } else {
    return false;
  }
  stop_.store(reason, std::memory_order_relaxed);
  return true;
}

Result<SearchResult> RamSearch::finish() {
  SearchResult result;
  if (levels_->push()) level_sizes_.push_back(levels_->top_size());
  result.states = table_->size();
  result.levels = level_sizes_;
  result.depth = level_sizes_.empty() ? 0 : level_sizes_.size() - 1;
  for (const auto& worker : workers_) {
    result.transitions += worker->transitions;
    result.expansions += worker->expansions;
    result.seconds.generate += worker->generate / static_cast<double>(workers_.size());
    result.seconds.insert += worker->insert / static_cast<double>(workers_.size());
  }
  auto counterexamples = trace_back(context_, *table_, *levels_, *pool_, findings_);
  if (!counterexamples.ok()) return counterexamples.status();
  result.counterexamples = std::move(*counterexamples);
  if (stop_ == StopReason::none && context_.stop.load(std::memory_order_relaxed)) {
    stop_ = StopReason::interrupted;
  }
  judge(result);
  result.memory_budget = context_.options.memory;
  result.peak_rss = peak_resident_bytes();
  result.seconds.search = seconds_between(began_, Clock::now());
  return result;
}

void RamSearch::judge(SearchResult& result) {
  // Behind a state with an error nothing was searched, so a cover may hold there.
  if (stop_ == StopReason::none && findings_.all().empty()) find_missed_covers(result);
  result.stop = stop_;
  if (stop_ != StopReason::none) result.stop_message = stop_message();
  if (!result.counterexamples.empty()) {
    result.verdict = verdict_of(result.counterexamples.front().text);
  } else {
    result.verdict = stop_ == StopReason::none ? Verdict::holds : Verdict::incomplete;
  }
}

void RamSearch::find_missed_covers(SearchResult& result) {
  for (uint32_t i = 0; i < info_.properties.size(); ++i) {
    if (info_.properties[i].kind != PropertyKind::cover) continue;
    if (std::any_of(workers_.begin(), workers_.end(), [&](const auto& w) { return w->out.covered[i] != 0; }))
      continue;
    result.missed_covers.push_back(i);
    if (result.counterexamples.size() >= context_.options.max_errors) continue;
    Counterexample missed;
    missed.failure.detail = i;
    missed.text = model_.describe_failure(missed.failure);
    missed.text.verdict = FailureText::Verdict::invariant;
    result.counterexamples.push_back(std::move(missed));
  }
}

std::string RamSearch::stop_message() const {
  const std::string explored = fmt::format("{} states were found, down to level {}", table_->size(),
                                           level_sizes_.empty() ? 0 : level_sizes_.size() - 1);
  switch (stop_.load()) {
    case StopReason::memory:
      return fmt::format(
          "the memory of {} MiB is full: {}; give more with --memory, or make the model smaller",
          context_.options.memory >> 20, explored);
    case StopReason::time: return fmt::format("the time limit was reached: {}; raise --time-limit", explored);
    case StopReason::bound:
      return fmt::format("the depth bound {} was reached: {}; deeper states were not searched, raise --bound",
                         *context_.options.bound, explored);
    case StopReason::interrupted: return fmt::format("interrupted: {}", explored);
    default: return "";
  }
}

}  // namespace

Result<SearchResult> search_ram(const SearchContext& context) { return RamSearch(context).run(); }

}  // namespace strata
