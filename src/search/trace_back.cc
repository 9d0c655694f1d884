#include "search/trace_back.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/hash.h"
#include "search/frontier.h"
#include "search/replay.h"

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

// The states whose parents are wanted, each with the best parent met so far. Nearly all successors are none of them,
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

// Expands the top level of the stack and notes the parents of the targets.
template <class Abandoned>
void find_parents(const SearchContext& context, const StateTable& table, const LevelStack& levels,
                  WorkerPool& pool, const Abandoned& abandoned, Targets& targets) {
  const ModelInfo& info = context.model.info();
  Frontier frontier(table);
  frontier.load(levels, pool.threads());
  std::vector<Targets> found(pool.threads(), targets);
  pool.run([&](unsigned worker) {
    Expansion out(info, std::max<uint64_t>(1024, info.max_successors));
    out.deadlock = DeadlockMode::off;
    // With several errors wanted, earlier levels may hold states that break an invariant: paths end there.
    out.check_properties = context.options.max_errors > 1;
    UntouchedVector<uint8_t> buffer;
    for (Frontier::Piece piece = frontier.take(buffer); piece.count > 0; piece = frontier.take(buffer)) {
      if (abandoned()) return;
      for (uint64_t done = 0; done < piece.count; done += out.consumed) {
        const uint8_t* states = piece.states + done * info.state_bytes;
        out.reset();
        context.model.expand(states, piece.count - done, out);
        for (uint64_t i = 0; i < out.count; ++i) {
          const uint8_t* parent = states + out.parents[i] * info.state_bytes;
          found[worker].meet(out.successor(i), info.state_bytes, parent, out.rules[i]);
        }
      }
    }
  });
  for (const Targets& part : found) targets.merge(part);
}

// The first start state that gives this state.
uint32_t start_of(const Model& model, const Bytes& state) {
  Expansion out(model.info(), std::max<uint64_t>(model.info().max_initial, 1));
  model.initial(out);
  for (uint64_t i = 0; i < out.count; ++i) {
    if (std::equal(state.begin(), state.end(), out.successor(i))) return out.rules[i];
  }
  return kNoRule;
}

// A path in the making: its steps are added from the last to the first. The rule of a step is known when the parent is.
struct Path {
  const Finding* finding;
  std::vector<TraceStep> steps;
};

// Takes every path that has reached level k + 1 one step back.
void extend_paths(const Targets& targets, uint64_t level, std::vector<Path>& paths) {
  for (Path& path : paths) {
    if (path.steps.empty() || path.finding->level <= level) continue;
    TraceStep& step = path.steps.back();
    const Parent& parent = targets.parents().at(step.state);
    step.rule = parent.rule;
    path.steps.push_back({kNoRule, parent.state});
  }
}

Status finish_path(const SearchContext& context, Path& path, Counterexample& out) {
  if (!path.steps.empty()) path.steps.back().rule = start_of(context.model, path.steps.back().state);
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

}  // namespace

Result<std::vector<Counterexample>> trace_back(const SearchContext& context, const StateTable& table,
                                               LevelStack& levels, WorkerPool& pool,
                                               const Findings& findings) {
  // A ^C that ended the search does not end the search for the path; one that comes now does.
  const bool stopped_before = context.stop.load(std::memory_order_relaxed);
  const auto abandoned = [&] { return !stopped_before && context.stop.load(std::memory_order_relaxed); };
  std::vector<Path> paths;
  uint64_t deepest = 0;
  for (const Finding& finding : findings.all()) {
    paths.push_back({&finding, {}});
    if (!finding.state.empty()) paths.back().steps.push_back({kNoRule, finding.state});
    deepest = std::max(deepest, finding.level);
  }
  while (levels.depth() > deepest) levels.pop();
  for (; levels.depth() > 0; levels.pop()) {
    const uint64_t level = levels.depth() - 1;
    context.progress.phase("tracing the error back, level " + std::to_string(level));
    Targets targets;
    for (const Path& path : paths) {
      if (!path.steps.empty() && path.finding->level > level) targets.want(path.steps.back().state);
    }
    find_parents(context, table, levels, pool, abandoned, targets);
    if (abandoned()) return without_paths(context, findings);
    for (const auto& [state, parent] : targets.parents()) {
      if (parent.state.empty())
        return Status::internal("a state without a parent; please report this as a bug of strata");
    }
    extend_paths(targets, level, paths);
  }
  std::vector<Counterexample> counterexamples(paths.size());
  for (uint64_t i = 0; i < paths.size(); ++i) {
    const Status status = finish_path(context, paths[i], counterexamples[i]);
    if (!status.ok()) return status;
  }
  return counterexamples;
}

}  // namespace strata
