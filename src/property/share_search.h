// A search by several ranks, each of which has a share of the states (view/share/shared_model.h), in place of one by this process alone.
#pragma once

#include "property/runner.h"

namespace strata {

// A runner that shares the search with the ranks of context.exchange, if there are any. It is the outermost one: what it calls
// searches this rank's share, folded or whole.
Runner sharing(Runner run);

}  // namespace strata
