// How another search hands its run to `auto` (search/auto.cc).
#pragma once

#include "engine/disk/disk_run.h"
#include "search/search_phase.h"

namespace strata {

// Searches from the beginning, or continues the checkpoint from which `run` and `phase` were restored already.
// `options`: with the parameters of `auto`.
Result<SearchResult> continue_auto(DiskRun& run, SearchPhase& phase, const SearchOptions& options);

}  // namespace strata
