// Counterexamples in the words of Murphi's verifiers:
//
//   Step 0
//   Startstate 0 fired.
//   x:0
//   y:false
//   ----------
//
//   Step 1
//   Rule "increment", i:1 fired.
//   x:1
//   ----------
//
// The number of a step is on a line of its own: scripts look for lines that begin with Startstate or Rule and end in
// "fired.".
#pragma once

#include <string>

#include "model/model.h"
#include "report/result.h"
#include "report/run_info.h"
#include "report/text_sink.h"

namespace strata {

// The failure on one line, in the words of the model; a run-time error begins with file:line:column.
std::string failure_line(const ModelInfo& info, const FailureText& text);

// "invariant", "assertion", ...
const char* property_kind(PropertyKind kind);

// "model.m:12:7", or only the path if the position is unknown.
std::string position_text(const ModelInfo& info, SourcePosition position);

// The variables of a state, one per line; changed_lines only those that differ from the previous state.
std::string state_lines(const std::vector<Leaf>& state);
std::string changed_lines(const std::vector<Leaf>& before, const std::vector<Leaf>& after);

// The steps of a counterexample, without header and footer. With TraceMode::off the text is empty.
void write_trace(const Model& model, const Counterexample& counterexample, TraceMode mode,
                 const TextSink& sink);
std::string trace_text(const Model& model, const Counterexample& counterexample, TraceMode mode);

// The same between "The following is the error trace for the error:" and "End of the error trace."; empty if there is
// nothing to show.
void write_error_trace(const Model& model, const Counterexample& counterexample, TraceMode mode,
                       const TextSink& sink);
std::string error_trace(const Model& model, const Counterexample& counterexample, TraceMode mode);

}  // namespace strata
