// Whether a program can be emitted in the packed form (native/text/place_form.h).
#pragma once

#include "ir/program.h"

namespace strata::native {

// In the packed form, inserting and removing elements of a multiset moves others to other slots, and a place is in a
// state or a local variable. So no rule may keep a slot number (choose), no function return a multiset, and no guard
// change the state.
bool can_stay_packed(const ir::Program& program);

}  // namespace strata::native
