// A search of folded states (view/fold/folded_model.h), in place of one of whole states: what is asked, and
// the answer, are about states of the model.
//
// The nodes that keys stand for have half of the memory. When that is used up the search begins anew, with
// whole states and all of the memory: nothing ends earlier than it would have without folding, but it takes
// the time of both.
#pragma once

#include "property/answer/runner.h"

namespace strata {

// A runner that folds where `context.options.fold` and the model are for it.
Runner folding(Runner run);

}  // namespace strata
