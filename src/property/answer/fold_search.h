// Searches folded states (view/fold/folded_model.h) instead of whole states. Question and answer are about states of
// the model.
//
// The nodes that keys refer to have half of the memory. When it is full, the search begins again with whole states and
// all of the memory. So no search ends earlier than without folding, but such a search takes the time of both.
#pragma once

#include "property/answer/runner.h"

namespace strata {

// A runner that folds states if `context.options.fold` and the model suggest it.
Runner folding(Runner run);

}  // namespace strata
