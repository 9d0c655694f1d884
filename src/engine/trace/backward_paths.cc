#include "engine/trace/backward_paths.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "engine/trace/replay.h"
#include "engine/trace/starts.h"

namespace strata {

BackwardPaths::BackwardPaths(const Findings& findings, uint64_t memory, uint64_t state_bytes,
                             unsigned threads)
    : left_(memory),
      each_((threads + 2) * (2 * state_bytes + 160)),
      // A vector that grows is there twice.
      each_step_(state_bytes + 3 * sizeof(TraceStep) + sizeof(Mark) + 16) {
  paths_.reserve(findings.all().size());
  for (const Finding& finding : findings.all()) {
    Path& path = paths_.emplace_back();
    path.finding = &finding;
    if (finding.state.empty()) continue;
    path.too_long = !take(each_) || !take(each_step_);
    if (!path.too_long) path.add(finding.state, finding.level);
  }
}

bool BackwardPaths::take(uint64_t bytes) {
  if (bytes > left_) return false;
  left_ -= bytes;
  return true;
}

void BackwardPaths::give_up(Path& path) {
  left_ += each_ + path.steps.size() * each_step_;
  path.too_long = true;
  path.steps = {};
}

uint64_t BackwardPaths::deepest() const {
  uint64_t deepest = 0;
  for (const Path& path : paths_) deepest = std::max(deepest, path.epoch);
  return deepest;
}

ParentTargets BackwardPaths::targets(uint64_t epoch) const {
  ParentTargets targets;
  for (const Path& path : paths_)
    if (path.wants_parent(epoch)) targets.want(path.steps.back().state);
  return targets;
}

void BackwardPaths::extend(const ParentTargets& targets, uint64_t epoch) {
  for (Path& path : paths_) {
    if (!path.wants_parent(epoch)) continue;
    const StateParent& parent = targets.parents().at(path.steps.back().state);
    if (parent.state.empty()) continue;
    if (!take(each_step_)) {
      give_up(path);
      continue;
    }
    path.steps.back().rule = parent.rule;
    path.add(parent.state, epoch);
  }
}

std::vector<BackwardPaths::Mark> BackwardPaths::marks() const {
  uint64_t steps = 0;
  for (const Path& path : paths_) steps += path.steps.size();
  std::vector<Mark> marks;
  marks.reserve(steps);
  for (uint32_t p = 0; p < paths_.size(); ++p) {
    for (uint32_t s = 0; s < paths_[p].steps.size(); ++s) {
      const std::vector<uint8_t>& state = paths_[p].steps[s].state;
      marks.push_back({hash_bytes(state.data(), state.size()), p, s});
    }
  }
  std::sort(marks.begin(), marks.end());
  return marks;
}

void BackwardPaths::find_starts(const Model& model) {
  const std::vector<Mark> all = marks();
  Expansion out = start_expansion(model.info());
  const auto meet = [&](const uint8_t* state, uint32_t start) {
    const Mark wanted{hash_bytes(state, out.state_bytes), 0, 0};
    auto mark = std::lower_bound(all.begin(), all.end(), wanted);
    for (; mark != all.end() && mark->hash == wanted.hash; ++mark) {
      Path& path = paths_[mark->path];
      TraceStep& step = path.steps[mark->step];
      if (path.first && *path.first <= mark->step) continue;
      if (std::memcmp(step.state.data(), state, out.state_bytes) != 0) continue;
      path.first = mark->step;
      step.rule = start;
    }
  };
  each_start(model, out, [&] {
    for (uint64_t i = 0; i < out.count; ++i) meet(out.successor(i), out.rules[i]);
  });
}

Status BackwardPaths::finish(const SearchContext& context, uint64_t i, Counterexample& out) {
  Path& path = paths_[i];
  out.text = context.model.describe_failure(path.finding->failure);
  if (path.too_long) return {};
  if (!path.steps.empty()) {
    if (!path.first)
      return Status::internal("a state without a parent; please report this as a bug of strata");
    path.steps.resize(*path.first + 1);
  }
  std::reverse(path.steps.begin(), path.steps.end());
  out.steps = std::move(path.steps);
  out.failure = path.finding->failure;
  return replay(context.model, context.options.deadlock, out);
}

BackwardPaths::GivenUp BackwardPaths::given_up() const {
  GivenUp sum;
  for (const Path& path : paths_) {
    if (!path.too_long) continue;
    ++sum.paths;
    // A finding is at most this many steps from the start.
    sum.bytes += each_ + (path.finding->level + 1) * each_step_;
  }
  return sum;
}

}  // namespace strata
