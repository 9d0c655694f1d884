// A search by several ranks, each of which has a share of the states (view/share/shared_model.h), in place of
// one by this process alone.
#pragma once

#include "property/answer/runner.h"

namespace strata {

// A runner that shares the search with the ranks of context.exchange, if there are any. It is the outermost
// one: what it calls searches this rank's share, folded or whole.
Runner sharing(Runner run);

// A limit that leaves a search no room to begin: its result, which reports show as any other. Where one rank
// has no room all end so.
bool leaves_no_room(const Status& status);
SearchResult stopped_at_once(const SearchContext& context, const Status& status);

}  // namespace strata
