// A view whose states are those of the model with a number added (extended_state.h): the common part of the product
// with an automaton and of fair paths. The view decides how the number changes from step to step.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "view/extended_state.h"
#include "view/view.h"

namespace strata {

class ExtendedView : public View {
 public:
  void starts(Expansion& out, const Full& full) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const override;
  Value describe(const uint8_t* state) const override;

  // The model's part of a state.
  void model_state(const uint8_t* state, uint8_t* result) const { layout_.state(state, result); }

 protected:
  struct Scratch : InnerScratch {
    using InnerScratch::InnerScratch;

    UntouchedVector<uint8_t> states;  // the model's part of the states of the call
  };

  // Numbers below `numbers`; initial states have `first`.
  ExtendedView(const Model& model, uint64_t numbers, uint32_t first);

  std::unique_ptr<InnerScratch> make_scratch(uint64_t capacity) const override;
  // Expands the model's part of the states into the inner Expansion, as many as it takes.
  void expand_inner(const uint8_t* states, uint64_t n, Scratch& own) const;

  // Appends a successor of `parent`, the n-th state of the call. Leaves out a successor that equals its parent, unless
  // self-loops are wanted.
  void append(const uint8_t* model_state, uint32_t number, uint32_t rule, uint32_t n, const uint8_t* parent,
              Expansion& out) const {
    uint8_t* place = out.states.data() + out.count * info_.state_bytes;
    layout_.join(model_state, number, place);
    if (!out.emit_self_loops && std::memcmp(place, parent, info_.state_bytes) == 0) return;
    out.rules[out.count] = rule;
    out.parents[out.count] = n;
    ++out.count;
  }

  const ExtendedState layout_;

 private:
  const uint32_t first_;
};

}  // namespace strata
