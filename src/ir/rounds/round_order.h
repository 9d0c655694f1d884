// Whether the rounds of a loop may be run in any order: every two of them must commute. Then the loop over a
// scalarset gives the same whatever the elements are called.
//
// Two rounds commute when nothing that one writes is touched by the other one, except that both
//   set the same value, add up, count down, and, or, or add to a multiset,
// or that only the round of one element does it. A local may keep what the last round left, if nobody reads
// it afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/rounds/round_effects.h"

namespace strata::ir {

// Why two rounds do not commute; empty: they do.
struct RoundConflict {
  std::string reason;  // "the rounds of the loop over P ..." follows the position; `{}` is the loop
  SourcePosition position;
};
struct RoundOrder {
  std::vector<RoundConflict> conflicts;
  // Locals that keep what the last round left: nobody may read them afterwards.
  std::vector<RoundAccess> leftovers;
};

// `rounds`: how messages call the repetition, "the loop over P".
RoundOrder order_of_rounds(const RoundEffects& effects, const std::string& rounds, SourcePosition position);

// What a condition that is evaluated for each element changes.
RoundOrder order_of_tests(const RoundEffects& effects, const std::string& rounds, SourcePosition position);

}  // namespace strata::ir
