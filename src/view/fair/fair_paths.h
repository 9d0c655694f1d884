// Fairness, as a Model. Among the infinite paths of a model with accepting states, those count that are fair to each of
// several groups of rules (fair_groups.h): a weak group that is enabled forever from some point on moves infinitely
// often; a strong group that is enabled infinitely often moves infinitely often.
//
// Sources. Choueka's counter (1974), as used by SPIN's -f, for weak fairness. For strong fairness, a guess for each
// group that it is never enabled again, as in the translation of Streett automata to Büchi automata.
//
// A path is weakly fair if for each group it contains infinitely often a step of the group or a step from a state in
// which the group is disabled. It counts if it also contains infinitely many accepting states. A counter goes round: at
// 0 it waits for an accepting state, at g + 1 for such a step of group g; a step advances it as far as it can. A strong
// group is passed by a step of the group alone, or because it was given up. In a state in which the counter waits for a
// strong group that is disabled, there are two successors: the counter waits on, or the group is given up, for ever;
// a path on which a group that was given up is enabled ends. On a fair path, all groups that are enabled only finitely
// often can be given up after the last time, so the counter goes round for ever; and where it does, the groups that
// were given up are never enabled, and the others move infinitely often.
//
// A state is a state of the model and a number (extended_state.h), of the counter and the set of groups that were given
// up. It is accepting if the counter is 0 and the model's state is accepting; so the counter has gone round between two
// accepting states.
//
// A group is enabled if one of its rules leads to a successor. A step of the property alone, and one that repeats the
// last state of a finite path (product.h), happen where no group is enabled, so they are fair to all.
//
// Cost. With k groups, s of them strong, up to 2^s * (k + 1) states for each state of the model.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "view/extended_view.h"
#include "view/fair/fair_groups.h"

namespace strata {

class FairModel final : public ExtendedView {
 public:
  // REQUIRES: the model has accepting states, and the groups are those of this model.
  FairModel(const Model& model, FairGroups groups);
  // Weakly fair to the processes of the model.
  explicit FairModel(const Model& model) : FairModel(model, FairGroups(model)) {}

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const override;

  // Whether a loop of states, each left by its rule, is fair to each group. Uses the definition, not the counter.
  bool is_fair(const std::vector<const uint8_t*>& states, const std::vector<uint32_t>& rules) const;
  const FairGroups& groups() const { return groups_; }

 private:
  struct FairScratch;
  // The number that a state has besides the model's state.
  struct Progress {
    uint32_t counter = 0;
    uint32_t given_up = 0;  // bit i: strong group i
  };

  Progress progress(uint32_t number) const { return {number % rounds_, number / rounds_}; }
  uint32_t number(Progress at) const { return at.given_up * rounds_ + at.counter; }
  std::unique_ptr<InnerScratch> make_scratch(uint64_t capacity) const override;
  // The progress after a step by the rule, into own.next; several, where a group may be given up.
  void find_next(Progress at, bool accepting, uint32_t rule, FairScratch& own) const;

  const FairGroups groups_;
  const uint32_t rounds_;  // values of the counter
};

}  // namespace strata
