// The start states of a model, in portions: there may be more of them than fit into memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>

#include "model/model.h"

namespace strata {

// An Expansion with room for a portion.
inline Expansion start_expansion(const ModelInfo& info) {
  constexpr uint64_t kMostBytes = 256 << 10;
  const uint64_t each = info.state_bytes + 2 * sizeof(uint32_t);
  return Expansion(info, std::clamp<uint64_t>(info.max_initial, 1, std::max<uint64_t>(kMostBytes / each, 1)));
}

// Calls take() whenever `out` is full, and at the end with the rest. The failures in `out` are those since the last
// call.
template <class Take>
void each_start(const Model& model, Expansion& out, const Take& take) {
  const auto take_part = [&] {
    take();
    out.failures.clear();
  };
  model.starts(out, take_part);
  take_part();
}

// The number of the first start state that produces this state.
inline std::optional<uint32_t> start_of(const Model& model, const uint8_t* state) {
  Expansion out = start_expansion(model.info());
  std::optional<uint32_t> found;
  each_start(model, out, [&] {
    for (uint64_t i = 0; i < out.count && !found; ++i)
      if (std::memcmp(out.successor(i), state, out.state_bytes) == 0) found = out.rules[i];
  });
  return found;
}

// Whether this start state produces the state.
inline bool starts_with(const Model& model, uint32_t start, const uint8_t* state) {
  Expansion out = start_expansion(model.info());
  bool found = false;
  each_start(model, out, [&] {
    for (uint64_t i = 0; i < out.count && !found; ++i)
      found = out.rules[i] == start && std::memcmp(out.successor(i), state, out.state_bytes) == 0;
  });
  return found;
}

}  // namespace strata
