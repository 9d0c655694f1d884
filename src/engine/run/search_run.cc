#include "engine/run/search_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "base/system/process_memory.h"
#include "engine/contract/old_ranks.h"
#include "engine/trace/starts.h"
#include "store/key/keys.h"

namespace strata {

SearchRun::SearchRun(const SearchContext& search_context)
    : context(search_context),
      options(search_context.options),
      model(search_context.model),
      info(search_context.model.info()),
      memory_(options, info, trimmed_resident_bytes()),
      budget(memory_.for_search()),
      ranks_(make_ranks(context.exchange)),
      rules_(info),
      limits_(context.stop, options.time_limit, *ranks_, model.capabilities().memory),
      saving_(context.checkpoints, limits_, *ranks_, context.progress),
      result_(context, *ranks_, limits_, memory_, budget, threads_),
      rounds_(context, *ranks_, limits_, saving_, result_, threads_) {
  if (context.checkpoints != nullptr)
    head_part_ = context.checkpoints->add([this](Image& image) { serialize_head(image); });
  if (ranks_->count() > 1 && model.capabilities().shared == nullptr)
    fail(Status::internal(
        "several ranks search a model whose states are not divided among them; please report "
        "this as a bug of strata"));
}

// ---- memory

PlanInput SearchRun::plan_input() const {
  PlanInput input;
  input.memory = budget.limit();
  input.threads = std::max(options.threads, 1u);
  input.state_bytes = info.state_bytes;
  input.key_bytes = KeyMaker(options.store, info.state_bytes).key_bytes();
  input.signatures = !options.store.exact();
  input.max_successors = info.max_successors;
  for (const auto& worker : threads_.workers) input.drawn += successor_bytes(worker->charged);
  input.shape = shape;
  return input;
}

// The buffer for successors is as large as the model might need, but only what is used counts.
bool SearchRun::charge(SearchWorker& worker, uint64_t successors) {
  if (successors <= worker.charged) return true;
  if (!budget.reserve(successor_bytes(successors - worker.charged))) return false;
  worker.charged = successors;
  return true;
}

// ---- threads

Status SearchRun::start(uint64_t batch, Beyond beyond) {
  const unsigned threads = std::max(options.threads, 1u);
  // A state is expanded only where all the successors that it may have find room. Small states are expanded several at
  // a time, however many successors they may have, if more than the batch can be drawn.
  constexpr uint64_t kSmall = 1 << 20;
  const bool several = beyond == Beyond::drawn && successor_bytes(2 * info.max_successors) <= kSmall;
  const uint64_t capacity = std::max(batch, (several ? 2 : 1) * info.max_successors);
  for (unsigned i = 0; i < threads; ++i) {
    auto worker = std::make_unique<SearchWorker>(i, info, capacity, result_.kept_errors());
    worker->out.deadlock = options.deadlock;
    worker->out.put = context.put;
    worker->out.put_context = context.put_context;
    if (!charge(*worker, batch)) {
      drop_workers();
      return memory_.too_small_for_threads();
    }
    threads_.workers.push_back(std::move(worker));
  }
  try {
    threads_.pool = std::make_unique<WorkerPool>(threads, [this] { stop(StopReason::memory); });
  } catch (const std::system_error& error) {
    drop_workers();
    return Status::system(
        fmt::format("starting {} threads: {}; lower --threads, or raise the limit (ulimit -u)", threads,
                    error.code().message()));
  }
  return {};
}

// As if nothing had been started: another search of this run may ask for less.
void SearchRun::drop_workers() {
  for (const auto& worker : threads_.workers) budget.release(successor_bytes(worker->charged));
  threads_.workers.clear();
}

// ---- expanding

void SearchRun::initial(const TakeStates& take) {
  context.progress.phase("initial states");
  Expansion out = start_expansion(info);
  // A search that begins again must not repeat the text that start states put.
  if (!std::exchange(began_initial_, true)) out.put = context.put;
  out.put_context = context.put_context;
  each_start(model, out, [&] {
    for (const Failure& failure : out.failures) result_.findings().add(0, failure, nullptr, 0);
    if (!halted()) take(out);
  });
  std::vector<uint8_t>& covered = worker(0).out.covered;
  for (uint64_t i = 0; i < covered.size(); ++i) covered[i] |= out.covered[i];
}

void SearchRun::expand(SearchWorker& worker, const uint8_t* states, uint64_t n, uint64_t level, bool again) {
  Expansion& out = worker.out;
  out.reset();
  const auto begin = Clock::now();
  if (at_bound(level)) {
    model.check(states, n, out);
    out.consumed = n;
  } else {
    out.counts = again ? nullptr : &worker.counts;
    model.expand(states, n, out);
    out.counts = nullptr;
    worker.expansions += out.consumed;
    worker.transitions += again ? 0 : out.transitions;
    worker.orbit_states += out.orbit_states;
    context.progress.transitions.fetch_add(out.transitions, std::memory_order_relaxed);
  }
  worker.seconds.generate += seconds_between(begin, Clock::now()) - out.canonicalise_seconds;
  worker.seconds.canonicalise += out.canonicalise_seconds;
  context.progress.queue.fetch_sub(out.consumed, std::memory_order_relaxed);
  if (!out.failures.empty()) note_failures(worker, states, level);
}

void SearchRun::count_listed(SearchWorker& worker) const {
  worker.transitions += worker.out.transitions;
  worker.counts.next_state();
  for (uint64_t i = 0; i < worker.out.count; ++i) worker.counts.count(rules_.rule_of(worker.out.rules[i]));
}

void SearchRun::look_again(SearchWorker& worker, const uint8_t* states, uint64_t n, uint64_t level) {
  Expansion& out = worker.out;
  const auto put = std::exchange(out.put, nullptr);
  for (uint64_t done = 0; done < n && !halted(); done += out.consumed) {
    const uint8_t* first = states + done * info.state_bytes;
    out.reset();
    if (at_bound(level)) {
      model.check(first, n - done, out);
      out.consumed = n - done;
    } else {
      model.expand(first, n - done, out);
    }
    if (!charge(worker, out.count)) fail(no_room_for_successors(out.count));
    if (!out.failures.empty()) note_failures(worker, first, level);
  }
  out.put = put;
}

void SearchRun::count_elsewhere(uint64_t expansions, double orbit_states, const RuleCounts& counts) {
  SearchWorker& first = worker(0);
  first.expansions += expansions;
  first.orbit_states += orbit_states;
  first.transitions += counts.fired();
  first.counts.add(counts);
}

// Ranks tell each other failures in states of the whole model, which all of them know.
void SearchRun::note_failures(SearchWorker& worker, const uint8_t* states, uint64_t level) {
  std::vector<uint8_t> whole;
  for (const Failure& failure : worker.out.failures) {
    const uint8_t* state = states + failure.state * info.state_bytes;
    if (rounds_.finds_whole_states()) {
      whole.resize(whole_model(model).info().state_bytes);
      make_whole(model, state, 1, whole.data());
      worker.findings.add(level, failure, whole.data(), whole.size());
    } else {
      worker.findings.add(level, failure, state, info.state_bytes);
    }
  }
}

// ---- saving

void SearchRun::serialize_head(Image& image) {
  double seconds = elapsed();
  image.value("search_seconds", seconds);
  if (image.restores()) limits_.continue_after(seconds);
  image.value("block", shape.block);
  image.value("queue_block", shape.queue_block);
  image.value("partitions", shape.partitions);
  if (const SavedData* const saved = model.capabilities().saved; saved != nullptr) saved->serialize(image);
}

// What all threads counted. A restored search has all of it as counts of the first thread.
void SearchRun::serialize_counts(Image& image) {
  SearchWorker sum(0, info, 1, 0);
  for (const auto& worker : threads_.workers) sum.add_counts(*worker);
  sum.serialize_counts(image);
  result_.serialize_findings(image);
  ProgressBoard& board = context.progress;
  NumberList levels = board.levels();
  image.value("board_states", board.states);
  image.value("board_queue", board.queue);
  image.list("board_levels", levels);
  if (!image.restores() || !image.ok()) return;
  board.transitions = sum.transitions;
  board.restore_levels(levels);
  began_initial_ = true;
  worker(0).set_counts(sum);
}

Status SearchRun::save_with(Checkpoints::Serialize serialize) {
  if (resumes()) rounds_.enter_level();
  return saving_.save_with([this, serialize = std::move(serialize)](Image& image) {
    serialize_counts(image);
    serialize(image);
  });
}

// ---- from the checkpoints of another number of ranks

bool SearchRun::regroups() const { return context.old_ranks != nullptr && !context.old_ranks->retired(); }

void SearchRun::take_over(SearchWorker& counted, double seconds) {
  SearchWorker& first = worker(0);
  first.add_counts(counted);
  first.findings.take(counted.findings);
  context.progress.transitions = first.transitions;
  limits_.continue_after(seconds);
  began_initial_ = true;
  saving_.take_over();
  rounds_.enter_level();
}

void SearchRun::give_counts(StateSink& to) const {
  SearchWorker sum(0, info, 1, result_.kept_errors());
  for (const auto& worker : threads_.workers) {
    sum.add_counts(*worker);
    for (const Finding& finding : worker->findings.all())
      sum.findings.add(finding.level, finding.failure, finding.state.empty() ? nullptr : finding.state.data(),
                       finding.state.size());
  }
  to.take_counts(sum, limits_.before());
}

// ---- results

void SearchRun::end_level() {
  result_.gather();
  context.progress.memory_used.store(memory_.resident() + budget.used(), std::memory_order_relaxed);
}

Result<SearchResult> SearchRun::finish(const Numbers& numbers, History* history) {
  saving_.finish();
  rounds_.end_together();
  return result_.finish(numbers, history);
}

}  // namespace strata
