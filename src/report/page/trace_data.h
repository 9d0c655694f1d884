// A counterexample as data of a page: the complete first state, then the differences from step to step.
//
//   {"title": TEXT, "kind": "counterexample" or "witness", "loop": index or null, "loop_step": step or null,
//    "failing": step with "guard" and "message", or null, "propositions": [TEXT, ...],
//    "bound": TEXT, "reads": [PATH, ...] (why the property fails in the last state),
//    "steps": [{"r": rule, "p": [process, ...], "t": "10?", "c": [[path, value], ...]}, ...],
//    "rules": [{"name": TEXT, "parameters": TEXT, "line": n, "family": n, "values": [TEXT, ...]}, ...],
//    "families": [{"parameters": [[name, type, chosen], ...], "accesses": [[path, index, inside, write], ...],
//                  "actor": TEXT}, ...],
//    "processes": [TEXT, ...]}
//
// r and p are indices in "rules" and "processes"; p has the processes whose steps a rule combines. A family is a rule
// with its parameters, and `values` has those of an instance. An access (RuleAccess, model.h) has as its index the
// number of a parameter, "?" for another index, or null for none. What is not known is left out.
//
// t has one character for each proposition; ? means that it cannot be evaluated. A step that puts a text has it as
// "put". A path is a list of member indices, from the outermost to the
// innermost. A value is null (undefined), a number, a boolean, a text (a symbol), {"i": digits} for a number that
// scripts cannot represent, or {"r": [[name, value], ...]} for a record, "a" for an array (indices are the names), and
// "m" for a multiset (members only).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/model.h"
#include "report/result.h"
#include "report/text_sink.h"

namespace strata {

// On one line; bytes that are not UTF-8 are shown as U+FFFD.
std::string compact_json(const nlohmann::ordered_json& value);

nlohmann::ordered_json page_value(const Value& value);

// The changes that turn `before` into `after`: [path, value] for each part that differs.
nlohmann::ordered_json page_changes(const Value& before, const Value& after);

struct TraceKind {
  const char* name;   // "counterexample" or "witness"
  std::string title;  // in words
};
void write_trace_data(const Model& model, const Counterexample& counterexample, const TraceKind& kind,
                      const std::vector<std::string>& propositions, const TextSink& sink);

}  // namespace strata
