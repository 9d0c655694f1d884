#include "view/view.h"

#include <algorithm>
#include <utility>

namespace strata {

InnerScratch::InnerScratch(const ModelInfo& inner_info, uint64_t capacity)
    : inner(inner_info, std::max<uint64_t>(capacity, 1)) {}

void View::hide_properties() {
  for (PropertyInfo& property : info_.properties) property.kind = PropertyKind::proposition;
}

uint32_t View::add_property(PropertyKind kind, std::string name) {
  info_.properties.push_back({kind, std::move(name), {}});
  return static_cast<uint32_t>(info_.properties.size() - 1);
}

void View::expand_with(const ExpansionOptions& options, const uint8_t* states, uint64_t n,
                       Expansion& out) const {
  const ExpansionOptions asked = std::exchange(out.options(), options);
  model_.expand(states, n, out);
  out.options() = asked;
}

InnerScratch& View::scratch(Expansion& out) const {
  if (!out.scratch) out.scratch = make_scratch(out.capacity());
  InnerScratch& own = static_cast<InnerScratch&>(*out.scratch);
  own.inner.options() = out.options();
  own.inner.emit_self_loops = true;
  own.inner.reset();
  return own;
}

std::unique_ptr<InnerScratch> View::make_scratch(uint64_t capacity) const {
  return std::make_unique<InnerScratch>(model_.info(), capacity);
}

void View::add_findings(const Expansion& inner, Expansion& out) {
  out.failures.insert(out.failures.end(), inner.failures.begin(), inner.failures.end());
  add_covered(inner, out);
}

void View::add_covered(const Expansion& inner, Expansion& out) {
  for (size_t i = 0; i < inner.covered.size(); ++i) out.covered[i] |= inner.covered[i];
  for (size_t i = 0; i < inner.premises.size(); ++i) out.premises[i] |= inner.premises[i];
}

}  // namespace strata
