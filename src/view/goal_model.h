// A model whose only properties are its goals, the conditions that must stay reachable from every state
// (ModelInfo::goals). Whether a state can reach them takes a search to find out. Until that has told the
// view, nothing fails but rules and goals that cannot be evaluated; from then on each goal that a state
// cannot reach is a failure of the state, so that it is traced and replayed as the violation of an invariant
// is.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "view/view.h"

namespace strata {

class GoalModel final : public View {
 public:
  // The goals that a reachable state cannot reach, bit i for goal i; called by several threads at once.
  using Lacking = std::function<uint64_t(const uint8_t* state)>;

  explicit GoalModel(const Model& model);

  void judge_by(Lacking lacking) { lacking_ = std::move(lacking); }
  // Adds the failures of a state, which is the n-th of a call.
  void note_failures(const uint8_t* state, uint32_t n, std::vector<Failure>& failures) const;
  // Those of a state that cannot reach these goals.
  void note_lacking(uint64_t lacking, uint32_t n, std::vector<Failure>& failures) const;

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;

 private:
  void judge(const uint8_t* states, uint64_t n, std::vector<Failure>& failures) const;

  Lacking lacking_;  // none: not known yet
};

}  // namespace strata
