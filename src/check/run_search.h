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

// The algorithm of --algorithm, when it has the parameters of --set and can keep states as --store says.
Result<const Algorithm*> choose_algorithm(const Options& options);

// With what the machine has where the user said nothing.
// `processes`: that search together on this machine, and share what it has.
Result<SearchOptions> search_options(const Options& options, const Notes& notes = {}, uint64_t processes = 1);

// Whether files can be made where the search may need them, at the start and not hours later: an error where
// the user named the folder, otherwise a warning.
Status check_disk(const Options& options, const Algorithm& algorithm, const SearchOptions& search,
                  const Notes& notes);

// How a search tells of its progress, on standard error.
struct ProgressSettings {
  ProgressChoice progress = ProgressChoice::off;
  std::atomic<bool>* asked = nullptr;  // once it is true, a line is printed whatever was chosen
  uint64_t memory = 0;                 // of the whole process
};

// Runs the search. A search that had no room to begin has a result too; what it refused is a usage error.
Result<SearchResult> run_search(const Algorithm& algorithm, const SearchContext& context,
                                const ProgressSettings& settings);

}  // namespace strata
