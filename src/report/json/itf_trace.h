// Counterexamples in the Informal Trace Format of Apalache (ADR-015), which trace viewers read:
//
//   {"#meta": {...}, "vars": [...], "states": [{"#meta": {"index": 0}, "x": 1, ...}, ...], "loop": 2}
//
// Integers beyond 2^53 are {"#bigint": "..."}, records objects, arrays {"#map": [[key, value], ...]}, multisets
// lists; an undefined value is {"#unserializable": "undefined"}. "loop" is there only for a lasso. The
// "#meta" of a state has the rule that led to it and, where the property has propositions, their values; that
// of the trace has what failed.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "report/result.h"
#include "report/text_sink.h"

namespace strata {

// One object, indented, ending in a newline.
void write_itf_trace(const Model& model, const Counterexample& counterexample, const TextSink& sink,
                     const std::vector<std::string>& propositions = {});
std::string itf_trace(const Model& model, const Counterexample& counterexample);

}  // namespace strata
