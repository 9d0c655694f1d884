// Whether the iterations ("rounds") of a loop may run in any order. If every two iterations commute, the result of a
// loop over a scalarset does not depend on the names of its elements.
//
// Two iterations commute if neither touches what the other writes, with two exceptions: both
//   set the same value, increase, decrease, and, or, or add to a multiset;
// or only the iteration of one element makes the access. A local may keep the value of the last iteration if it is not
// read afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/rounds/round_effects.h"

namespace strata::ir {

// Why two iterations do not commute; an empty reason: they do.
struct RoundConflict {
  std::string reason;  // follows the position: "an iteration of the loop over P reads x, ..."
  SourcePosition position;
};
struct RoundOrder {
  std::vector<RoundConflict> conflicts;
  // Locals that keep the value of the last iteration: they must not be read afterwards.
  std::vector<RoundAccess> leftovers;
};

// `rounds` names the repetition in messages: "the loop over P".
RoundOrder order_of_rounds(const RoundEffects& effects, const std::string& rounds, SourcePosition position);

// The same for a condition that is evaluated for each element and may have effects.
RoundOrder order_of_tests(const RoundEffects& effects, const std::string& rounds, SourcePosition position);

}  // namespace strata::ir
