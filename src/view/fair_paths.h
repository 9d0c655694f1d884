// Weak fairness, as a Model. Among the infinite paths of a model with accepting states, those count on which
// each process that is enabled forever from some point on moves infinitely often.
//
// Source. Choueka's counter (1974), as used by SPIN's -f. A path is fair if for each process p it contains infinitely
// often a step of p or a step from a state in which p is disabled. It counts if it also contains infinitely
// many accepting states. A counter goes round: at 0 it waits for an accepting state, at p for such a step of
// process p; a step advances it as far as it can. A state is a state of the model and the counter
// (extended_state.h). It is accepting if the counter is 0 and the model's state is accepting; so the counter
// has gone round between two accepting states.
//
// A process is enabled if one of its rules leads to a successor. A step of the property alone, and one that repeats the
// last state of a finite path (product.h), happen where no process is enabled, so they are fair to all.
//
// Cost. With k processes, up to k + 1 states for each state of the model, and log2(k + 1) bits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/rule_table.h"
#include "view/extended_view.h"

namespace strata {

class FairModel final : public ExtendedView {
 public:
  // REQUIRES: the model has accepting states.
  explicit FairModel(const Model& model);

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const override;

  // Whether a loop of states, each left by its rule, has for every process a step of this process or a state in which
  // it is disabled. Uses the definition, not the counter.
  bool is_fair(const std::vector<const uint8_t*>& states, const std::vector<uint32_t>& rules) const;

 private:
  struct FairScratch;

  std::unique_ptr<InnerScratch> make_scratch(uint64_t capacity) const override;
  uint32_t next_counter(uint32_t counter, bool accepting, uint32_t rule, FairScratch& own) const;

  const RuleTable rules_;
};

}  // namespace strata
