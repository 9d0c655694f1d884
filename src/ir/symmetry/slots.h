// The slots of multisets. Members are sorted, so which slot one has depends on the names of elements in it:
// the number of a slot may only select the member that it was chosen for.
#pragma once

#include <optional>

#include "ir/program.h"
#include "ir/rounds/round_place.h"

namespace strata::ir {

// Whether the expression is a local that runs over the slots of a multiset.
bool is_slot(const RoundFrame& frame, const Expr& e);
// Whether that multiset is the place, or what its first `depth` selectors lead to.
bool is_slot_of(const RoundFrame& frame, const Expr& e, const Place& place, size_t depth);
// Whether it compares two slots of one multiset for equality.
bool compares_slots(const RoundFrame& frame, const Expr& e);
// Where a rule uses a slot that it chose after something was removed and something was added: a member that
// was added may have the slot of one that was removed.
std::optional<SourcePosition> slot_used_again(const Program& program, const Rule& rule);

}  // namespace strata::ir
