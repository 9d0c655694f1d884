// Counterexamples in the Informal Trace Format of Apalache (ADR-015), which trace viewers read:
//
//   {"#meta": {...}, "vars": [...], "states": [{"#meta": {"index": 0}, "x": 1, ...}, ...], "loop": 2}
//
// Integers beyond 2^53 are {"#bigint": "..."}, records are objects, arrays {"#map": [[key, value], ...]}, multisets
// lists; an undefined value is {"#unserializable": "undefined"}. Only a lasso has "loop". The "#meta" of a state
// contains the rule that led to it and, if the property has propositions, their values. The "#meta" of the trace
// describes the failure.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "report/result.h"
#include "report/text_sink.h"

namespace strata {

// Writes one indented object and a newline.
void write_itf_trace(const Model& model, const Counterexample& counterexample, const TextSink& sink,
                     const std::vector<std::string>& propositions = {});
std::string itf_trace(const Model& model, const Counterexample& counterexample);

}  // namespace strata
