// From the user's options to the result of a search.
#pragma once

#include <atomic>
#include <vector>

#include "base/status.h"
#include "check/notes.h"
#include "options/options.h"
#include "report/result.h"
#include "search/algorithms.h"

namespace strata {

// The algorithm of --algorithm; an error unless it has the parameters of --set and can store states as --store says.
Result<const Algorithm*> choose_algorithm(const Options& options);

// The options of the search. Defaults come from the machine; `processes` processes on this machine share it.
Result<SearchOptions> search_options(const Options& options, const Notes& notes = {}, uint64_t processes = 1);

// Tests at the start, not hours later, whether files can be created where the search may need them. An error if the
// user named the folder, otherwise a warning.
Status check_disk(const Options& options, const Algorithm& algorithm, const SearchOptions& search,
                  const Notes& notes);

// How a search shows its progress on standard error.
struct ProgressSettings {
  ProgressChoice progress = ProgressChoice::off;
  std::atomic<bool>* asked = nullptr;  // becomes true: a line is printed, whatever the mode
  uint64_t memory = 0;                 // of the whole process
};

// Runs the search. A search that had no room to begin has a result too; a refused parameter is a usage error.
Result<SearchResult> run_search(const Algorithm& algorithm, const SearchContext& context,
                                const ProgressSettings& settings);

}  // namespace strata
