// The JSON object of `strata check --json`. Its names are a contract (doc/manual.md, "JSON output"): every name is
// always present, and names are added but never removed.
#pragma once

#include <string>

#include "model/model.h"
#include "report/answered.h"
#include "report/json/json_stream.h"
#include "report/result.h"
#include "report/run_info.h"
#include "report/text_sink.h"

namespace strata {

// The same object as a value of the stream, for a report that adds to it: without the steps of counterexamples, and
// with "errors" as a plain list.
JsonStream::Json report_without_steps(const Answers& answers, JsonStream& stream);
// The version of doc/report.schema.json, which describes the object. New names do not change it.
constexpr int kReportSchema = 1;

// Writes one indented object and a newline.
void write_json_report(const Answers& answers, const TextSink& sink);
// Of a run with one property.
std::string json_report(const Model& model, const SearchResult& result, const RunInfo& run);

// What was checked, in words: a formula with its fairness; or invariants by name, then what every model is checked for.
std::string checked_text(const ModelInfo& info, const RunInfo& run);

// The kind of an error, as the object names it.
const char* error_kind(const ModelInfo& info, const Counterexample& counterexample);

// The text that takes the place of the report while a run is not finished. It remains if the run is killed.
std::string json_running(const std::string& version, const std::string& model);
std::string json_interrupted(const std::string& version, const std::string& model,
                             const std::string& message);

}  // namespace strata
