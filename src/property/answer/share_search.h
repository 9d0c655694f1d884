// A search by several ranks, each with a share of the states (view/share/shared_model.h).
#pragma once

#include "property/answer/runner.h"

namespace strata {

// A runner that divides the search among the ranks of context.exchange, if there are any. It must be the outermost
// runner: the runner inside searches the share of this rank, folded or whole.
Runner sharing(Runner run);

// The result of a search that had no room to begin; reports show it like any other result. If one rank has no room, all
// ranks end in this way.
bool leaves_no_room(const Status& status);
SearchResult stopped_at_once(const SearchContext& context, const Status& status);

}  // namespace strata
