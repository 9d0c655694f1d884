// What CMurphi's verifiers print, line by line as they print it, for scripts that look for these lines; the
// text of `strata check` is in report/text/text_report.h.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "engine/trace/simulate.h"
#include "model/model.h"
#include "report/progress/progress_board.h"
#include "report/result.h"
#include "report/run_info.h"
#include "report/text_sink.h"
#include "tool/murphi/murphi_options.h"

namespace strata {

// Before the search: protocol, algorithm, memory.
std::string murphi_header(const Model& model, const Symmetry* symmetry, const MurphiOptions& options,
                          uint64_t memory);

// "	1000 states explored in 0.10s, with 3000 rules fired and 12 states in the queue."
std::string murphi_progress(uint64_t states, double seconds, uint64_t rules, uint64_t queue);

// After it.
void write_murphi_report(const Model& model, const SearchResult& result, const RunInfo& run,
                         const MurphiOptions& options, const TextSink& sink);
void write_murphi_simulation(const Model& model, const SimulateResult& result, const MurphiOptions& options,
                             TraceMode mode, const TextSink& sink);

// 0 or 1, as CMurphi's verifiers have it; where they have none, as the commands of Strata.
int murphi_exit_code(int code);

}  // namespace strata
