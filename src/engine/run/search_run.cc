#include "engine/run/search_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <system_error>
#include <utility>

#include "engine/trace/replay.h"
#include "engine/trace/starts.h"
#include "store/key/keys.h"

namespace strata {

namespace {

// What a thread takes beside its buffers: a stack, and some of the heap. A few of them are not counted: they
// are within what any run may take beyond --memory.
constexpr uint64_t kThreadBytes = 48 << 10;
constexpr unsigned kUncountedThreads = 16;
constexpr uint64_t kSmallCounts = 256 << 10;  // of rules that fired, by all threads
// As many errors are kept in any case; more of them have an eighth of the memory.
constexpr uint64_t kFewErrors = 16, kErrorShare = 8;
// The path of an error may take so much beyond what the search has left.
constexpr uint64_t kPathBytes = 3 << 20;

uint64_t thread_bytes(const SearchOptions& options, const ModelInfo& info) {
  const uint64_t counts = std::max(options.threads, 1u) * RuleCounts::bytes(info);
  return (std::max(options.threads, kUncountedThreads) - kUncountedThreads) * kThreadBytes +
         (counts > kSmallCounts ? counts : 0);
}

// What the process holds already is not the search's to spend; but a very small --memory leaves it at least half.
uint64_t memory_for_search(const SearchOptions& options, const ModelInfo& info, uint64_t resident) {
  const uint64_t memory = options.memory;
  const uint64_t usable = std::max(memory - std::min(memory, resident), memory / 2);
  return usable - std::min(usable, thread_bytes(options, info));
}

// The --memory that leaves so much.
uint64_t memory_for(const SearchOptions& options, const ModelInfo& info, uint64_t usable, uint64_t resident) {
  const uint64_t all = usable + thread_bytes(options, info);
  return std::min(all + resident, 2 * all);
}

// Each thread has those that it met, and the search those of all.
uint64_t error_bytes(const SearchOptions& options, uint64_t state_bytes) {
  return (uint64_t{options.threads} + 1) * Findings::bytes_each(state_bytes);
}

// How many errors the search keeps.
uint64_t kept_errors(const SearchOptions& options, uint64_t usable, uint64_t state_bytes) {
  const uint64_t room = usable / kErrorShare / error_bytes(options, state_bytes);
  return std::clamp<uint64_t>(options.max_errors, 1, std::max(kFewErrors, room));
}

// What is left when they have their share.
uint64_t without_errors(const SearchOptions& options, uint64_t usable, uint64_t state_bytes) {
  const uint64_t kept = kept_errors(options, usable, state_bytes);
  return kept <= kFewErrors ? usable : usable - kept * error_bytes(options, state_bytes);
}

void add_bytes(const std::vector<uint8_t>& bytes, std::vector<uint8_t>& sum) {
  for (uint64_t i = 0; i < sum.size(); ++i) sum[i] |= bytes[i];
}

}  // namespace

SearchRun::SearchRun(const SearchContext& search_context)
    : context(search_context),
      options(search_context.options),
      model(search_context.model),
      info(search_context.model.info()),
      resident_(trimmed_resident_bytes()),
      budget(without_errors(options, memory_for_search(options, info, resident_), info.state_bytes)),
      joint_(context.exchange == nullptr ? std::nullopt : std::optional<Joint>(*context.exchange)),
      rules_(info),
      kept_errors_(joint_kept_errors(
          kept_errors(options, memory_for_search(options, info, resident_), info.state_bytes))),
      findings_(kept_errors_),
      began_(Clock::now()),
      limit_begins_(began_) {
  if (context.checkpoints != nullptr)
    head_part_ = context.checkpoints->add([this](Image& image) { serialize_head(image); });
}

PlanInput SearchRun::plan_input() const {
  PlanInput input;
  input.memory = budget.limit();
  input.threads = std::max(options.threads, 1u);
  input.state_bytes = info.state_bytes;
  input.key_bytes = KeyMaker(options.store, info.state_bytes).key_bytes();
  input.signatures = !options.store.exact();
  input.max_successors = info.max_successors;
  for (const auto& worker : workers_) input.drawn += successor_bytes(worker->charged);
  input.shape = shape;
  return input;
}

Status SearchRun::too_small(const MemoryPlan& plan, uint64_t least) const {
  const uint64_t wanted = memory_for(options, info, least, resident_);
  const unsigned threads = std::max(options.threads, 1u);
  return Status::limit(
      fmt::format("--memory {} is too small{}: it has no room for the {}; raise it to {}{}",
                  options.given_memory(), threads == 1 ? "" : fmt::format(" for {} threads", threads),
                  plan.tight(), options.enough_memory(wanted), threads == 1 ? "" : ", or lower --threads"),
      Reason::memory_to_begin);
}

Status SearchRun::no_room_for_successors(uint64_t successors) const {
  const unsigned threads = std::max(options.threads, 1u);
  const uint64_t least = successors_memory(successors, info.state_bytes, threads);
  const uint64_t wanted = std::max(memory_for(options, info, least, resident_), options.memory + (1 << 20));
  return Status::limit(
      fmt::format("--memory {} MiB has no room for the successors of {}: a state has up to {}, of {} bytes "
                  "each; raise "
                  "it "
                  "to {} MiB{}",
                  options.memory >> 20,
                  threads == 1 ? "a state" : fmt::format("{} states, one for each thread", threads),
                  successors, info.state_bytes, (wanted + (1 << 20) - 1) >> 20,
                  threads == 1 ? "" : ", or lower --threads"),
      Reason::memory_for_successors);
}

Status SearchRun::without_path(const Traced& traced) const {
  const uint64_t all = traced.counterexamples.size();
  // In RAM what is missing is enough. On disk, with so much more memory, the search would keep its states in
  // RAM beside the path.
  constexpr uint64_t kEachState = 32;  // beside its bytes
  const bool on_disk = context.progress.disk_used.load(std::memory_order_relaxed) > 0;
  const uint64_t in_ram = on_disk ? context.progress.states * (info.state_bytes + kEachState) : 0;
  const uint64_t wanted = options.memory + traced.needed + in_ram;
  return Status::limit(
      fmt::format("--memory {} has no room for the path{}; raise it to {}", options.given_memory(),
                  all == 1 ? " of the error" : fmt::format("s of {} of {} errors", traced.too_long, all),
                  options.enough_memory(wanted)),
      Reason::memory_for_paths);
}

Status SearchRun::start(uint64_t batch, Beyond beyond) {
  const unsigned threads = std::max(options.threads, 1u);
  // A state is expanded only where all the successors that it may have find a place. Small states are
  // expanded several at a time, however many successors they may have, if more than the batch can be drawn.
  constexpr uint64_t kSmall = 1 << 20;
  const bool several = beyond == Beyond::drawn && successor_bytes(2 * info.max_successors) <= kSmall;
  const uint64_t capacity = std::max(batch, (several ? 2 : 1) * info.max_successors);
  for (unsigned i = 0; i < threads; ++i) {
    auto worker = std::make_unique<SearchWorker>(i, info, capacity, kept_errors_);
    worker->out.deadlock = options.deadlock;
    worker->out.put = context.put;
    worker->out.put_context = context.put_context;
    if (!charge(*worker, batch)) {
      drop_workers();
      return Status::limit(
          fmt::format("--memory {} is too small for {} threads; raise it, or lower --threads",
                      options.given_memory(), threads),
          Reason::memory_to_begin);
    }
    workers_.push_back(std::move(worker));
  }
  try {
    pool_ = std::make_unique<WorkerPool>(threads, [this] { stop(StopReason::memory); });
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
  for (const auto& worker : workers_) budget.release(successor_bytes(worker->charged));
  workers_.clear();
}

void SearchRun::initial(const TakeStates& take) {
  context.progress.phase("initial states");
  Expansion out = start_expansion(info);
  // A search that begins again does not say again what the start states say.
  if (!std::exchange(began_initial_, true)) out.put = context.put;
  out.put_context = context.put_context;
  each_start(model, out, [&] {
    for (const Failure& failure : out.failures) findings_.add(0, failure, nullptr, 0);
    if (!halted()) take(out);
  });
  add_bytes(out.covered, workers_.front()->out.covered);
}

void SearchRun::expand(SearchWorker& worker, const uint8_t* states, uint64_t n, uint64_t level, bool again) {
  Expansion& out = worker.out;
  out.reset();
  if (joint_) {
    // What has arrived comes first, so that nobody waits for this rank.
    const bool all_sent = model.arrivals(out, false);
    if (out.count == 0 && !all_sent) joint_->exchange().transport().wait();
    if (out.count > 0 || !all_sent) return;
  }
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

void SearchRun::note_failures(SearchWorker& worker, const uint8_t* states, uint64_t level) {
  if (joint_) return note_whole_failures(worker, states, level);
  for (const Failure& failure : worker.out.failures) {
    worker.findings.add(level, failure, states + failure.state * info.state_bytes, info.state_bytes);
  }
}

// The buffer for successors is as large as the model might need, but only what is used counts.
bool SearchRun::charge(SearchWorker& worker, uint64_t successors) {
  if (successors <= worker.charged) return true;
  const uint64_t bytes = successor_bytes(successors - worker.charged);
  worker.charged = successors;
  return budget.reserve(bytes);
}

StopReason SearchRun::ending() {
  if (context.stop.load(std::memory_order_relaxed)) return StopReason::interrupted;
  if (options.time_limit && !restored_ && seconds_between(limit_begins_, Clock::now()) > *options.time_limit)
    return StopReason::time;
  if (short_of_space_.load(std::memory_order_relaxed)) return StopReason::disk;
  return StopReason::none;
}

bool SearchRun::halted() {
  // The bound ends the search when the level is done.
  if (stopped() != StopReason::none && stopped() != StopReason::bound) return true;
  if (model.out_of_room()) {
    stop(StopReason::memory);
    return true;
  }
  if (joint_ && joint_->exchange().failed()) {
    fail(joint_->exchange().transport().status());
    return true;
  }
  if (pauses_.load(std::memory_order_relaxed)) return false;
  // A search that can be saved comes to a rest instead, and nothing that is on its way to it is lost.
  if (joint_ && joint_->exchange().ending() && !(part_ && savable_)) return true;
  if (const StopReason reason = ending(); reason != StopReason::none) stop(reason);
  return stopped() != StopReason::none && stopped() != StopReason::bound;
}

void SearchRun::stop(StopReason reason) {
  StopReason none = StopReason::none;
  stop_.compare_exchange_strong(none, reason, std::memory_order_relaxed);
  // The bound is the same for all, and ends them when the level is done.
  if (joint_ && reason != StopReason::bound) joint_->exchange().call_end();
}

void SearchRun::fail(const Status& status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (trouble_.ok()) trouble_ = status;
  stop(status.code() == StatusCode::limit ? StopReason::memory : StopReason::disk);
}

Status SearchRun::trouble() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return trouble_;
}

void SearchRun::end_level() {
  for (const auto& worker : workers_) findings_.take(worker->findings);
  if (complete() && kept_errors_ < options.max_errors && stopped() == StopReason::none)
    fail(Status::limit(fmt::format("--memory {} has room for {} errors; raise it, or lower --max-errors",
                                   options.given_memory(), kept_errors_),
                       Reason::memory_for_errors));
  context.progress.memory_used.store(resident_ + budget.used(), std::memory_order_relaxed);
}

Result<SearchResult> SearchRun::finish(const Numbers& numbers, History* history) {
  pauses_ = false;
  end_together();
  if (trouble_.code() == StatusCode::system || trouble_.code() == StatusCode::internal) return trouble_;
  SearchResult result;
  result.states = numbers.states;
  result.levels = numbers.levels;
  result.depth = numbers.depth.value_or(numbers.levels.empty() ? 0 : numbers.levels.size() - 1);
  TimeShares& seconds = result.seconds;
  const double threads = static_cast<double>(workers_.size());
  for (const auto& worker : workers_) {
    result.transitions += worker->transitions;
    result.expansions += worker->expansions;
    result.orbit_states += worker->orbit_states;
    const TimeShares& own = worker->seconds;
    seconds.generate += own.generate / threads;
    seconds.canonicalise += own.canonicalise / threads;
    seconds.insert += own.insert / threads;
    seconds.detect += own.detect / threads;
    seconds.io += own.io / threads;
    seconds.queue += own.queue / threads;
    seconds.partition += own.partition / threads;
  }
  if (joint_) gather_counts(result);
  Result<Traced> traced = trace_back(context, history, *pool_, findings_, room_for_paths());
  if (!traced.ok()) return traced.status();
  if (traced->too_long > 0) fail(without_path(*traced));
  result.counterexamples = std::move(traced->counterexamples);
  if (stopped() == StopReason::none && context.stop.load(std::memory_order_relaxed)) {
    stop(StopReason::interrupted);
  }
  if (stopped() == StopReason::none && model.out_of_room()) stop(StopReason::memory);
  // An algorithm that forgets states may count one of them again, in a later level.
  result.levels_exact =
      std::accumulate(result.levels.begin(), result.levels.end(), uint64_t{0}) <= result.states;
  result.exact = options.store.exact();
  result.omission_probability = options.store.omission_probability(result.states);
  // A search that knows no levels knows no depth: then any omission may hide an error.
  const bool known_depth = numbers.depth.has_value() || !numbers.levels.empty();
  result.missed_error_probability = known_depth
                                        ? options.store.missed_error_probability(result.states, result.depth)
                                        : result.omission_probability;
  judge(result);
  result.coverage = coverage();
  if (joint_) gather_coverage(result.coverage);
  result.memory_budget = options.memory;
  result.memory_plan = memory_plan_;
  result.peak_rss = peak_resident_bytes();
  result.seconds.search = elapsed();
  return result;
}

uint64_t SearchRun::room_for_paths() const {
  const uint64_t room = budget.limit() - std::min(budget.limit(), budget.used()) + kPathBytes;
  return joint_ ? joint_->least(room) : room;
}

void SearchRun::judge(SearchResult& result) {
  // Behind a state with an error nothing was searched, so a cover may hold there. A search for cycles looks
  // at no properties.
  const bool looked = !workers_.empty() && workers_.front()->out.check_properties;
  if (looked && stopped() == StopReason::none && findings_.all().empty()) find_missed_covers(result);
  result.stop = stopped();
  if (result.stop != StopReason::none)
    end_early(reason_of(result.stop, trouble_), stop_message(result), result);
  if (!result.counterexamples.empty()) {
    result.verdict = verdict_of(result.counterexamples.front().text);
  } else {
    result.verdict = result.stop == StopReason::none ? Verdict::holds : Verdict::incomplete;
  }
}

Coverage SearchRun::coverage() const {
  RuleCounts sum(info);
  Coverage result;
  if (!workers_.empty() && workers_.front()->out.check_properties)
    result.premises.assign(info.premises.size(), 0);
  for (const auto& worker : workers_) {
    sum.add(worker->counts);
    add_bytes(worker->out.premises, result.premises);
  }
  // A rule that fired in no state can fire once in a state only, so nobody counted these.
  for (const RuleCount& rule : sum.rules)
    result.rules.push_back({rule.fired, rule.states == 0 ? rule.fired : rule.states});
  result.stuttered = result.rules.back().fired;
  result.rules.pop_back();
  return result;
}

void SearchRun::find_missed_covers(SearchResult& result) {
  for (uint32_t i = 0; i < info.properties.size(); ++i) {
    if (info.properties[i].kind != PropertyKind::cover) continue;
    if (std::any_of(workers_.begin(), workers_.end(), [&](const auto& w) { return w->out.covered[i] != 0; }))
      continue;
    result.missed_covers.push_back(i);
    if (result.counterexamples.size() >= options.max_errors) continue;
    Counterexample missed;
    missed.failure.detail = i;
    missed.text = model.describe_failure(missed.failure);
    missed.text.verdict = FailureText::Verdict::invariant;
    result.counterexamples.push_back(std::move(missed));
  }
}

std::string SearchRun::stop_message(const SearchResult& result) const {
  std::string explored =
      result.states == 1 ? "1 state was found" : fmt::format("{} states were found", result.states);
  if (!result.levels.empty()) explored += fmt::format(", down to level {}", result.depth);
  switch (result.stop) {
    case StopReason::memory:
      if (!trouble_.ok()) return fmt::format("{}: {}", trouble_.message(), explored);
      return fmt::format("the memory of {} is full: {}; give more with --memory, or make the model smaller",
                         options.given_memory(), explored);
    case StopReason::disk:
      return fmt::format("{}: {}; free some space, or name other folders with --disk", trouble_.message(),
                         explored);
    case StopReason::time: return fmt::format("the time limit was reached: {}; raise --time-limit", explored);
    case StopReason::bound:
      return fmt::format("the depth bound {} was reached: {}; deeper states were not searched, raise --bound",
                         *options.bound, explored);
    case StopReason::interrupted: return fmt::format("interrupted: {}", explored);
    default: return "";
  }
}

}  // namespace strata
