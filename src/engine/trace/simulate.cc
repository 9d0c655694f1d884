#include "engine/trace/simulate.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/hash.h"
#include "base/random.h"
#include "base/worker_pool.h"
#include "engine/trace/replay.h"
#include "model/rule_counts.h"

namespace strata {

namespace {

using Clock = std::chrono::steady_clock;

// What the walks of all threads share.
struct Walks {
  const Model& model;
  const SimulateOptions& options;
  const std::atomic<bool>& stop;
  const Expansion& starts;
  const Clock::time_point began = Clock::now();
  // After how many steps a thread failed, at the least; the others need not go further.
  std::atomic<uint64_t> first_failure{UINT64_MAX};

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - began).count(); }
  void note_failure(uint64_t steps) {
    uint64_t before = first_failure.load();
    while (steps < before && !first_failure.compare_exchange_weak(before, steps)) {
    }
  }
};

// One thread's walk.
class Walk {
 public:
  Walk(Walks& walks, unsigned thread)
      : walks_(walks),
        model_(walks.model),
        options_(walks.options),
        random_(options_.seed + thread),
        steps_(options_.steps / options_.threads + (thread < options_.steps % options_.threads ? 1 : 0)),
        counts_(model_.info()),
        out_(model_.info(), std::max<uint64_t>(model_.info().max_successors, 1)) {
    out_.deadlock = options_.deadlock;
    out_.check_properties = options_.check_properties;
    out_.emit_self_loops = true;
    if (options_.counts) out_.counts = &counts_;
    result_.seed = options_.seed + thread;
  }

  Expansion& expansion() { return out_; }
  SimulateResult& result() { return result_; }
  const RuleCounts& counts() const { return counts_; }

  void run() {
    const Expansion& starts = walks_.starts;
    if (!starts.failures.empty()) return fail(starts.failures.front());
    if (starts.count == 0) return;
    restart();
    while (step() && !ends()) {
    }
    result_.path = path_;
  }

 private:
  static constexpr uint64_t kLooks = 1024;  // steps between looks at the clock

  bool ends() {
    if (result_.steps > walks_.first_failure.load(std::memory_order_relaxed)) return true;
    if (result_.steps % kLooks != 0) return false;
    if (walks_.stop.load(std::memory_order_relaxed))
      result_.stop = StopReason::interrupted;
    else if (options_.time_limit && walks_.elapsed() > *options_.time_limit)
      result_.stop = StopReason::time;
    return result_.stop != StopReason::none;
  }

  void restart() {
    const uint64_t i = random_.below(walks_.starts.count);
    path_.clear();
    extend(walks_.starts, i);
    ++result_.walks;
  }

  void extend(const Expansion& from, uint64_t i) {
    const uint8_t* state = from.successor(i);
    path_.push_back({from.rules[i], std::vector<uint8_t>(state, state + from.state_bytes)});
    if (options_.counts) result_.seen.add(hash_bytes(state, from.state_bytes));
  }

  // False: the walk has ended.
  bool step() {
    out_.reset();
    model_.expand(path_.back().state.data(), 1, out_);
    result_.transitions += out_.transitions;
    if (!out_.failures.empty()) {
      fail(out_.failures.front());
      return false;
    }
    if (result_.steps == steps_) return false;
    ++result_.steps;
    if (out_.count == 0 || path_.size() > options_.depth) {
      restart();
    } else {
      extend(out_, random_.below(out_.count));
      result_.deepest = std::max<uint64_t>(result_.deepest, path_.size() - 1);
    }
    return true;
  }

  void fail(Failure failure) {
    failure.state = 0;
    Counterexample found;
    found.failure = failure;
    found.text = model_.describe_failure(failure);
    found.steps = path_;
    result_.failure = std::move(found);
    result_.failed_after = result_.steps;
    walks_.note_failure(result_.steps);
  }

  Walks& walks_;
  const Model& model_;
  const SimulateOptions& options_;
  Random random_;
  const uint64_t steps_;
  RuleCounts counts_;
  Expansion out_;
  std::vector<TraceStep> path_;
  SimulateResult result_;
};

// All walks together, with the failure of the one that failed first.
SimulateResult sum_of(const std::vector<std::unique_ptr<Walk>>& walks, const ModelInfo& info) {
  SimulateResult sum;
  RuleCounts counts(info);
  size_t chosen = 0;
  for (size_t i = 0; i < walks.size(); ++i) {
    const SimulateResult& own = walks[i]->result();
    const SimulateResult& best = walks[chosen]->result();
    if (own.failure && (!best.failure || own.failed_after < best.failed_after)) chosen = i;
    sum.steps += own.steps;
    sum.walks += own.walks;
    sum.transitions += own.transitions;
    sum.deepest = std::max(sum.deepest, own.deepest);
    if (sum.stop != StopReason::interrupted && own.stop != StopReason::none) sum.stop = own.stop;
    sum.seen.add(own.seen);
    counts.add(walks[i]->counts());
  }
  SimulateResult& told = walks[chosen]->result();
  sum.seed = told.seed;
  sum.failed_after = told.failed_after;
  sum.path = std::move(told.path);
  sum.failure = std::move(told.failure);
  if (sum.failure) sum.stop = StopReason::none;
  sum.coverage.count(counts);
  return sum;
}

}  // namespace

Result<SimulateResult> simulate(const Model& model, const SimulateOptions& options,
                                const std::atomic<bool>& stop,
                                void (*put)(void* context, const char* text, uint64_t length),
                                void* put_context) {
  Expansion starts(model.info(), std::max<uint64_t>(model.info().max_initial, 1));
  model.initial(starts);
  Walks shared{model, options, stop, starts};
  std::vector<std::unique_ptr<Walk>> walks;
  for (unsigned i = 0; i < options.threads; ++i) {
    walks.push_back(std::make_unique<Walk>(shared, i));
    walks.back()->expansion().put = put;
    walks.back()->expansion().put_context = put_context;
  }
  // If one walk throws, the others end with their next step.
  WorkerPool pool(options.threads, [&] { shared.note_failure(0); });
  pool.run([&](unsigned i) { walks[i]->run(); });
  SimulateResult result = sum_of(walks, model.info());
  result.seconds = shared.elapsed();
  if (result.failure) {
    const Status status = replay(model, options.deadlock, *result.failure);
    if (!status.ok()) return status;
  }
  return result;
}

}  // namespace strata
