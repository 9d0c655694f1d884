#include "explore/trace/trace_back.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "base/hash.h"
#include "explore/trace/replay.h"

namespace strata {

namespace {

using Bytes = std::vector<uint8_t>;

struct Parent {
  Bytes state;
  uint32_t rule = kNoRule;
  bool operator<(const Parent& other) const {
    return state != other.state ? state < other.state : rule < other.rule;
  }
};

// The states whose parents are wanted, each with the best parent found so far. Nearly all successors are none of them,
// which a small table of hash bits tells.
class Targets {
 public:
  void want(const Bytes& state) {
    parents_.emplace(state, Parent());
    marks_[mark(state.data(), state.size())] = true;
  }
  bool empty() const { return parents_.empty(); }
  const std::map<Bytes, Parent>& parents() const { return parents_; }

  void meet(const uint8_t* successor, uint64_t bytes, const uint8_t* parent, uint32_t rule) {
    if (!marks_[mark(successor, bytes)]) return;
    const auto found = parents_.find(Bytes(successor, successor + bytes));
    if (found != parents_.end()) improve(found->second, {Bytes(parent, parent + bytes), rule});
  }
  void merge(const Targets& other) {
    for (const auto& [state, parent] : other.parents_) {
      if (!parent.state.empty()) improve(parents_[state], parent);
    }
  }

 private:
  static constexpr uint64_t kMarks = 1 << 16;
  static uint64_t mark(const uint8_t* state, uint64_t bytes) { return hash_bytes(state, bytes) % kMarks; }
  static void improve(Parent& best, const Parent& other) {
    if (best.state.empty() || other < best) best = other;
  }
  std::map<Bytes, Parent> parents_;
  std::vector<bool> marks_ = std::vector<bool>(kMarks, false);
};

// A ^C or SIGTERM ends the search for paths, whether it comes now or has ended the search itself; but paths that are found
// within half a second still are.
class Patience {
 public:
  explicit Patience(const std::atomic<bool>& stop) : stop_(stop) {}

  // Whether it is over. For all threads.
  bool over() {
    if (!stop_.load(std::memory_order_relaxed)) return false;
    const int64_t now = Clock::now().time_since_epoch().count();
    int64_t first = 0;
    if (since_.compare_exchange_strong(first, now)) return false;
    return Clock::duration(now - first) > std::chrono::milliseconds(500);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::atomic<bool>& stop_;
  std::atomic<int64_t> since_{0};
};

// Expands an epoch and notes the parents of the targets.
Status find_parents(const SearchContext& context, History& history, uint64_t epoch, WorkerPool& pool,
                    Patience& patience, Targets& targets) {
  const ModelInfo& info = context.model.info();
  std::vector<Targets> found(pool.threads(), targets);
  std::vector<std::unique_ptr<Expansion>> buffers(pool.threads());
  for (auto& out : buffers) {
    out = std::make_unique<Expansion>(info, std::max<uint64_t>(1024, info.max_successors));
    out->deadlock = DeadlockMode::off;
    // With several errors wanted, earlier epochs may hold states that break an invariant: paths end there.
    out->check_properties = context.options.max_errors > 1;
  }
  const Status status = history.visit(epoch, [&](unsigned worker, const uint8_t* first, uint64_t count) {
    Expansion& out = *buffers[worker];
    for (uint64_t done = 0; done < count && !patience.over(); done += out.consumed) {
      const uint8_t* states = first + done * info.state_bytes;
      out.reset();
      context.model.expand(states, count - done, out);
      for (uint64_t i = 0; i < out.count; ++i) {
        const uint8_t* parent = states + out.parents[i] * info.state_bytes;
        found[worker].meet(out.successor(i), info.state_bytes, parent, out.rules[i]);
      }
    }
  });
  for (const Targets& part : found) targets.merge(part);
  return status;
}

// The start states, each with the first number that gives it.
std::map<Bytes, uint32_t> start_states(const Model& model) {
  Expansion out(model.info(), std::max<uint64_t>(model.info().max_initial, 1));
  model.initial(out);
  std::map<Bytes, uint32_t> starts;
  for (uint64_t i = 0; i < out.count; ++i) {
    starts.emplace(Bytes(out.successor(i), out.successor(i) + model.info().state_bytes), out.rules[i]);
  }
  return starts;
}

// A path in the making: its steps are added from the last to the first. The rule of a step is known when the parent is.
struct Path {
  const Finding* finding;
  std::vector<TraceStep> steps;
  uint64_t epoch = 0;  // of the step added last; its parent is in an earlier one
  bool done = false;   // it begins with a start state

  void add(Bytes state, uint64_t its_epoch, const std::map<Bytes, uint32_t>& starts) {
    const auto start = starts.find(state);
    done = start != starts.end();
    steps.push_back({done ? start->second : kNoRule, std::move(state)});
    epoch = its_epoch;
  }
  bool wants_parent(uint64_t before) const { return !steps.empty() && !done && epoch > before; }
};

Status finish_path(const SearchContext& context, Path& path, Counterexample& out) {
  std::reverse(path.steps.begin(), path.steps.end());
  out.steps = std::move(path.steps);
  out.failure = path.finding->failure;
  out.text = context.model.describe_failure(out.failure);
  return replay(context.model, context.options.deadlock, out);
}

std::vector<Counterexample> without_paths(const SearchContext& context, const Findings& findings) {
  std::vector<Counterexample> counterexamples;
  for (const Finding& finding : findings.all()) {
    Counterexample& counterexample = counterexamples.emplace_back();
    counterexample.text = context.model.describe_failure(finding.failure);
  }
  return counterexamples;
}

std::vector<Path> begin_paths(const Findings& findings, const std::map<Bytes, uint32_t>& starts) {
  std::vector<Path> paths;
  for (const Finding& finding : findings.all()) {
    Path& path = paths.emplace_back();
    path.finding = &finding;
    if (!finding.state.empty()) path.add(finding.state, finding.level, starts);
  }
  return paths;
}

// Makes each path longer by a state of this epoch, where it has a parent there.
Status extend_paths(const SearchContext& context, History& history, uint64_t epoch, WorkerPool& pool,
                    const std::map<Bytes, uint32_t>& starts, Patience& patience, std::vector<Path>& paths) {
  Targets targets;
  for (const Path& path : paths) {
    if (path.wants_parent(epoch)) targets.want(path.steps.back().state);
  }
  if (targets.empty()) return {};
  context.progress.phase("tracing the error back, level " + std::to_string(epoch));
  if (Status status = find_parents(context, history, epoch, pool, patience, targets); !status.ok())
    return status;
  for (Path& path : paths) {
    if (patience.over()) break;
    if (!path.wants_parent(epoch)) continue;
    const Parent& parent = targets.parents().at(path.steps.back().state);
    if (parent.state.empty()) continue;
    path.steps.back().rule = parent.rule;
    path.add(parent.state, epoch, starts);
  }
  return {};
}

// All paths, from a start state each, unless patience is over.
Status find_paths(const SearchContext& context, History& history, WorkerPool& pool, const Findings& findings,
                  Patience& patience, std::vector<Path>& paths) {
  const std::map<Bytes, uint32_t> starts = start_states(context.model);
  paths = begin_paths(findings, starts);
  uint64_t deepest = 0;
  for (const Finding& finding : findings.all()) deepest = std::max(deepest, finding.level);
  for (uint64_t epoch = deepest; epoch-- > 0 && !patience.over();) {
    const Status status = extend_paths(context, history, epoch, pool, starts, patience, paths);
    if (!status.ok()) return status;
  }
  const bool whole = std::all_of(paths.begin(), paths.end(),
                                 [](const Path& path) { return path.steps.empty() || path.done; });
  if (whole || patience.over()) return {};
  return Status::internal("a state without a parent; please report this as a bug of strata");
}

}  // namespace

Result<std::vector<Counterexample>> trace_back(const SearchContext& context, History* history,
                                               WorkerPool& pool, const Findings& findings) {
  if (findings.all().empty()) return std::vector<Counterexample>();
  // Without traces a path only explains an error, and the first one tells enough.
  const bool wanted = context.options.trace || findings.all().size() == 1;
  if (history == nullptr || !wanted) return without_paths(context, findings);
  Patience patience(context.stop);
  std::vector<Path> paths;
  if (Status status = find_paths(context, *history, pool, findings, patience, paths); !status.ok())
    return status;
  std::vector<Counterexample> counterexamples(paths.size());
  for (uint64_t i = 0; i < paths.size(); ++i) {
    if (patience.over()) return without_paths(context, findings);
    const Status status = finish_path(context, paths[i], counterexamples[i]);
    if (!status.ok()) return status;
  }
  return counterexamples;
}

}  // namespace strata
