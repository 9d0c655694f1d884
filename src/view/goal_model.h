// A model whose only properties are its goals, the conditions that must stay reachable from every state
// (ModelInfo::goals). Only a search can find out which states can reach them. Before it has told the view, only rules
// and goals that cannot be evaluated fail. Afterwards each goal that a state cannot reach is a failure of the state,
// which is traced and replayed like the violation of an invariant.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "view/view.h"

namespace strata {

class GoalModel final : public View {
 public:
  // The goals that a reachable state cannot reach, bit i for goal i. Called by several threads at once.
  using Lacking = std::function<uint64_t(const uint8_t* state)>;

  explicit GoalModel(const Model& model);

  void judge_by(Lacking lacking) { lacking_ = std::move(lacking); }
  // Adds the failures of a state, the n-th of a call.
  void note_failures(const uint8_t* state, uint32_t n, std::vector<Failure>& failures) const;
  // Adds the failures of a state that cannot reach these goals.
  void note_lacking(uint64_t lacking, uint32_t n, std::vector<Failure>& failures) const;

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;

 private:
  void judge(const uint8_t* states, uint64_t n, std::vector<Failure>& failures) const;

  Lacking lacking_;  // empty: not known yet
};

}  // namespace strata
