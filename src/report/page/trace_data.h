// A counterexample as the data of a page: the first state whole, then what differs from step to step.
//
//   {"title": TEXT, "kind": "counterexample" or "witness", "loop": index or null, "loop_step": step or null,
//    "failing": step with "guard" and "message", or null, "propositions": [TEXT, ...],
//    "steps": [{"r": rule, "p": [process, ...], "t": "10?", "c": [[path, value], ...]}, ...],
//    "rules": [{"name": TEXT, "parameters": TEXT, "line": n}, ...], "processes": [TEXT, ...]}
//
// r and p are numbers in "rules" and "processes"; t has a character for each proposition, ? where it cannot
// be evaluated; a step that puts a text has it as "put". A path is the places of members, from the outside
// in. A value is null (undefined), a number, a truth value, a text (a symbol), {"i": digits} for a number
// that scripts cannot hold, or {"r": [[name, value], ...]} for a record, "a" for an array, with indices as
// names, and "m" for a multiset, with members alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/model.h"
#include "report/result.h"
#include "report/text_sink.h"

namespace strata {

// In one line; what is not UTF-8 is shown as U+FFFD.
std::string compact_json(const nlohmann::ordered_json& value);

nlohmann::ordered_json page_value(const Value& value);

// What makes the second state of the first: [path, value] for each part that differs.
nlohmann::ordered_json page_changes(const Value& before, const Value& after);

struct TraceKind {
  const char* name;   // "counterexample" or "witness"
  std::string title;  // in words
};
void write_trace_data(const Model& model, const Counterexample& counterexample, const TraceKind& kind,
                      const std::vector<std::string>& propositions, const TextSink& sink);

}  // namespace strata
