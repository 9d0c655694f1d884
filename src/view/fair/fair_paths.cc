#include "view/fair/fair_paths.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace strata {

struct FairModel::FairScratch final : Scratch {
  FairScratch(const ModelInfo& info, uint64_t capacity, uint32_t groups)
      : Scratch(info, capacity), enabled(groups) {}

  std::vector<uint8_t> accepting;
  std::vector<uint8_t> enabled;  // by group, in the current state
  std::vector<uint32_t> movers;
  std::vector<Progress> next;
};

// The counter begins at 0, and no group is given up.
FairModel::FairModel(const Model& model, FairGroups groups)
    : ExtendedView(model, (uint64_t{groups.count()} + 1) << groups.strong(), 0),
      groups_(std::move(groups)),
      rounds_(groups_.count() + 1) {
  info_.max_successors = std::max<uint64_t>(1, info_.max_successors) * (groups_.strong() + 1);
}

std::unique_ptr<InnerScratch> FairModel::make_scratch(uint64_t capacity) const {
  return std::make_unique<FairScratch>(model_.info(), capacity / (groups_.strong() + 1), groups_.count());
}

void FairModel::find_next(Progress at, bool accepting, uint32_t rule, FairScratch& own) const {
  own.next.clear();
  if (at.counter == 0 && !accepting) {
    own.next.push_back(at);
    return;
  }
  at.counter = std::max(at.counter, 1u);
  groups_.of(rule, own.movers);
  // At g + 1, the counter waits for group g.
  for (; at.counter <= groups_.count(); ++at.counter) {
    const uint32_t group = at.counter - 1;
    if (std::find(own.movers.begin(), own.movers.end(), group) != own.movers.end()) continue;
    const bool enabled = own.enabled[group] != 0;
    if (group < groups_.weak()) {
      if (!enabled) continue;
      own.next.push_back(at);
      return;
    }
    const uint32_t bit = 1u << (group - groups_.weak());
    if ((at.given_up & bit) != 0) continue;
    own.next.push_back(at);
    if (enabled) return;
    at.given_up |= bit;
  }
  at.counter = 0;
  own.next.push_back(at);
}

void FairModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  FairScratch& own = static_cast<FairScratch&>(scratch(out));
  const Expansion& inner = own.inner;
  expand_inner(states, n, own);
  own.accepting.resize(inner.consumed);
  model_.accepting(own.states.data(), inner.consumed, own.accepting.data());
  out.consumed = inner.consumed;
  out.transitions = inner.transitions;
  uint64_t next = 0;
  for (uint32_t i = 0; i < inner.consumed; ++i) {
    const uint8_t* parent = states + i * info_.state_bytes;
    const Progress at = progress(layout_.number(parent));
    std::fill(own.enabled.begin(), own.enabled.end(), uint8_t{0});
    bool broken = false;  // a group that was given up is enabled
    for (uint64_t k = next; k < inner.count && inner.parents[k] == i; ++k) {
      groups_.of(inner.rules[k], own.movers);
      for (const uint32_t group : own.movers) {
        own.enabled[group] = 1;
        broken |= group >= groups_.weak() && (at.given_up >> (group - groups_.weak()) & 1) != 0;
      }
    }
    for (; next < inner.count && inner.parents[next] == i; ++next) {
      if (broken) continue;
      const uint32_t rule = inner.rules[next];
      find_next(at, own.accepting[i] != 0, rule, own);
      for (const Progress after : own.next)
        append(inner.successor(next), number(after), rule, i, parent, out);
    }
  }
  add_findings(inner, out);
}

void FairModel::accepting(const uint8_t* states, uint64_t n, uint8_t* values) const {
  UntouchedVector<uint8_t> own;
  for (uint64_t i = 0; i < n; ++i) {
    const uint8_t* state = states + i * info_.state_bytes;
    values[i] = 0;
    if (progress(layout_.number(state)).counter != 0) continue;
    layout_.states(state, 1, own);
    model_.accepting(own.data(), 1, &values[i]);
  }
}

bool FairModel::is_fair(const std::vector<const uint8_t*>& states, const std::vector<uint32_t>& rules) const {
  // Whether the group moved, was disabled somewhere, was enabled somewhere.
  std::vector<uint8_t> moved(groups_.count(), 0), rested(groups_.count(), 0), could(groups_.count(), 0);
  std::vector<uint8_t> enabled(groups_.count());
  std::vector<uint32_t> movers;
  UntouchedVector<uint8_t> own;
  for (size_t i = 0; i < states.size(); ++i) {
    Expansion out(model_.info(), std::max<uint64_t>(model_.info().max_successors, 1));
    out.emit_self_loops = true;
    out.check_properties = false;
    out.deadlock = DeadlockMode::off;
    layout_.states(states[i], 1, own);
    model_.expand(own.data(), 1, out);
    std::fill(enabled.begin(), enabled.end(), uint8_t{0});
    for (uint64_t k = 0; k < out.count; ++k) {
      groups_.of(out.rules[k], movers);
      for (const uint32_t group : movers) enabled[group] = 1;
    }
    groups_.of(rules[i], movers);
    for (const uint32_t group : movers) moved[group] = 1;
    for (size_t group = 0; group < enabled.size(); ++group) {
      rested[group] |= enabled[group] == 0;
      could[group] |= enabled[group];
    }
  }
  for (uint32_t group = 0; group < groups_.count(); ++group)
    if (moved[group] == 0 && (group < groups_.weak() ? rested[group] == 0 : could[group] != 0)) return false;
  return true;
}

}  // namespace strata
