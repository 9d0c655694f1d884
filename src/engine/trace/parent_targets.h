// The states whose parents a search for paths wants, each with the best parent found so far. Of several parents the one
// with the smallest bytes is the best, of several rules the first: the choice depends on no thread and no rank.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/hash.h"
#include "model/model.h"

namespace strata {

struct StateParent {
  std::vector<uint8_t> state;  // empty: none was found
  uint32_t rule = kNoRule;

  bool operator<(const StateParent& other) const {
    return state != other.state ? state < other.state : rule < other.rule;
  }
};

// Nearly all successors that are met are not wanted: a small table of hash bits tells these without a look-up.
class ParentTargets {
 public:
  using Parents = std::map<std::vector<uint8_t>, StateParent>;

  void want(const std::vector<uint8_t>& state) {
    parents_.emplace(state, StateParent());
    marks_[mark(state.data(), state.size())] = true;
  }
  bool empty() const { return parents_.empty(); }
  const Parents& parents() const { return parents_; }

  // What one thread or rank found: the best parents of some targets, by the key of the target in parents().
  using Found = std::map<const std::vector<uint8_t>*, StateParent>;
  // Notes the parent in `found` if the successor is wanted. Any thread, with a `found` of its own.
  void meet(const uint8_t* successor, uint64_t bytes, const uint8_t* parent, uint32_t rule,
            Found& found) const {
    if (!marks_[mark(successor, bytes)]) return;
    const auto target = parents_.find(std::vector<uint8_t>(successor, successor + bytes));
    if (target != parents_.end())
      improve(found[&target->first], {std::vector<uint8_t>(parent, parent + bytes), rule});
  }
  void merge(const Found& found) {
    for (const auto& [state, parent] : found) improve(parents_.at(*state), parent);
  }

 private:
  static constexpr uint64_t kMarks = 1 << 16;
  static uint64_t mark(const uint8_t* state, uint64_t bytes) { return hash_bytes(state, bytes) % kMarks; }
  static void improve(StateParent& best, const StateParent& other) {
    if (best.state.empty() || other < best) best = other;
  }

  Parents parents_;
  std::vector<bool> marks_ = std::vector<bool>(kMarks, false);
};

}  // namespace strata
