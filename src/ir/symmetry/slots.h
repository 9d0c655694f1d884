// The slots of multisets. Members are sorted, so the slot of a member depends on the names of elements in it. The
// number of a slot may therefore only select the member for which it was chosen.
#pragma once

#include <optional>

#include "ir/program.h"
#include "ir/rounds/round_place.h"

namespace strata::ir {

// Whether the expression is a local that runs over the slots of a multiset.
bool is_slot(const RoundFrame& frame, const Expr& e);
// Whether that multiset is the place, or the place to which its first `depth` selectors lead.
bool is_slot_of(const RoundFrame& frame, const Expr& e, const Place& place, size_t depth);
// Whether the expression compares two slots of one multiset for equality.
bool compares_slots(const RoundFrame& frame, const Expr& e);
// Where a rule uses a slot number after a removal and a later addition: a new member may then have the slot.
std::optional<SourcePosition> slot_used_again(const Program& program, const Rule& rule);

}  // namespace strata::ir
