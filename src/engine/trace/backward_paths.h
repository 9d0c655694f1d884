// Paths in the making, one for each finding: their steps are added from the last to the first, as long as there is
// memory for them. Of the findings the best come first; a path that finds no room is given up as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/contract/search_context.h"
#include "engine/trace/findings.h"
#include "engine/trace/parent_targets.h"
#include "report/result.h"

namespace strata {

class BackwardPaths {
 public:
  // With this much memory. Each of the threads has a table of what is looked for.
  BackwardPaths(const Findings& findings, uint64_t memory, uint64_t state_bytes, unsigned threads);

  // The largest epoch of a finding with a path.
  uint64_t deepest() const;
  // The last states of the paths whose next parent can be in this epoch.
  ParentTargets targets(uint64_t epoch) const;
  // One more step for the paths whose parents were found in this epoch.
  void extend(const ParentTargets& targets, uint64_t epoch);
  // A path begins with the last start state on it; of several start states that give this state the first counts.
  void find_starts(const Model& model);

  uint64_t size() const { return paths_.size(); }
  // Turns path i round and replays it.
  Status finish(const SearchContext& context, uint64_t i, Counterexample& out);
  // How many paths were given up, and how much memory these take at most.
  struct GivenUp {
    uint64_t paths = 0, bytes = 0;
  };
  GivenUp given_up() const;

 private:
  struct Path {
    const Finding* finding = nullptr;
    std::vector<TraceStep> steps;  // the rule of a step is known when its parent is
    uint64_t epoch = 0;            // of the step added last; its parent is in an earlier one
    bool too_long = false;
    std::optional<uint64_t> first;  // the step that is a start state, the latest of them

    void add(std::vector<uint8_t> state, uint64_t its_epoch) {
      steps.push_back({kNoRule, std::move(state)});
      epoch = its_epoch;
    }
    bool wants_parent(uint64_t before) const { return !steps.empty() && epoch > before; }
  };
  // Where a step is, to be found by the hash of its state.
  struct Mark {
    uint64_t hash;
    uint32_t path;
    uint32_t step;
    bool operator<(const Mark& other) const { return hash < other.hash; }
  };

  bool take(uint64_t bytes);
  void give_up(Path& path);
  std::vector<Mark> marks() const;

  uint64_t left_;                    // memory
  const uint64_t each_, each_step_;  // what a path takes, and each of its steps
  std::vector<Path> paths_;
};

}  // namespace strata
