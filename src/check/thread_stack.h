// Compiled models keep a state on the stack, unpacked, and states may be large.
#pragma once

#include <fmt/format.h>

#include "base/process/own_stack.h"
#include "base/status.h"
#include "base/text/units.h"
#include "model/model.h"

namespace strata {

// A scalar of one bit is a byte when it is unpacked; functions with parameters by value, records that are assigned and
// effects that are taken back have copies.
inline uint64_t stack_for_states(const ModelInfo& info) { return kThreadStack + 16 * 8 * info.state_bytes; }

// Calls the function, which returns a Result, on a stack with room for states of the model: the present one if the
// states are small.
template <class Function>
auto with_room_for_states(const ModelInfo& info, const Function& function) -> decltype(function()) {
  constexpr uint64_t kSmallState = 16 << 10;
  if (info.state_bytes <= kSmallState) return function();
  const uint64_t stack = stack_for_states(info);
  decltype(function()) result = Status::limit(fmt::format(
      "a state has {}, and the system has no room for the stack of {} that this needs; see ulimit -v",
      bytes_text(info.state_bytes), bytes_text(stack)));
  run_with_stack(stack, [&] { result = function(); });
  return result;
}

}  // namespace strata
