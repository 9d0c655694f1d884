#include "view/extended_view.h"

#include <algorithm>

namespace strata {

ExtendedView::ExtendedView(const Model& model, uint64_t numbers, uint32_t first)
    : View(model), layout_(model.info(), numbers), first_(first) {
  info_.state_bits = layout_.bits();
  info_.state_bytes = layout_.bytes();
}

std::unique_ptr<InnerScratch> ExtendedView::make_scratch(uint64_t capacity) const {
  return std::make_unique<Scratch>(model_.info(), capacity);
}

void ExtendedView::starts(Expansion& out, const Full& full) const {
  Expansion& inner = scratch(out).inner;
  const auto hand_on = [&] {
    for (uint64_t i = 0; i < inner.count; ++i) {
      out.make_room(full);
      layout_.join(inner.successor(i), first_, out.states.data() + out.count * info_.state_bytes);
      out.rules[out.count] = inner.rules[i];
      out.parents[out.count++] = 0;
    }
    add_findings(inner, out);
    inner.failures.clear();
  };
  model_.starts(inner, hand_on);
  hand_on();
}

void ExtendedView::expand_inner(const uint8_t* states, uint64_t n, Scratch& own) const {
  n = std::min(n, std::max<uint64_t>(1, own.inner.capacity()));
  layout_.states(states, n, own.states);
  model_.expand(own.states.data(), n, own.inner);
}

void ExtendedView::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  Scratch& own = static_cast<Scratch&>(scratch(out));
  layout_.states(states, n, own.states);
  model_.check(own.states.data(), n, own.inner);
  out.consumed = own.inner.consumed;
  add_findings(own.inner, out);
}

void ExtendedView::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                                std::vector<Failure>& failures) const {
  UntouchedVector<uint8_t> own;
  layout_.states(states, n, own);
  model_.propositions(own.data(), n, values, failures);
}

void ExtendedView::accepting(const uint8_t* states, uint64_t n, uint8_t* values) const {
  UntouchedVector<uint8_t> own;
  layout_.states(states, n, own);
  model_.accepting(own.data(), n, values);
}

Value ExtendedView::describe(const uint8_t* state) const {
  UntouchedVector<uint8_t> own;
  layout_.states(state, 1, own);
  return model_.describe(own.data());
}

}  // namespace strata
