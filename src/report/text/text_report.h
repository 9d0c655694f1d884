// The final text of `strata check`, in the layout that scripts for Murphi's verifiers look for:
//
//   The following is the error trace for the error:        (for each counterexample)
//   ...
//   End of the error trace.
//
//   ==========================================================================
//
//   Status: / No error found.     or     Result: / Invariant "X" failed.
//
//   State Space Explored:
//
//   	882 states, 2646 rules fired in 0.01s.
//
// followed by Strata's additions: what was checked, how the search was run, covers, and what an incomplete search left
// open.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "report/result.h"
#include "report/run_info.h"
#include "report/text_sink.h"

namespace strata {

constexpr const char* kSeparator =
    "\n==========================================================================\n";

// The verdict in one or more lines without indentation: "No error found.", "Invariant "X" failed.", "Search incomplete:
// ..." with what the user can do.
std::vector<std::string> verdict_lines(const ModelInfo& info, const SearchResult& result, const RunInfo& run);

void write_text_report(const Model& model, const SearchResult& result, const RunInfo& run,
                       const TextSink& sink);
std::string text_report(const Model& model, const SearchResult& result, const RunInfo& run);

}  // namespace strata
