// The page of --report: one HTML file that needs no other file, network or server.
//
// Its parts are the files of assets/, embedded when Strata is built, and one block of data, a JSON object:
//
//   {"report": {...},       the object of --json without the steps of counterexamples; null for a single trace
//    "verdict": [...],      the verdict, one string per line; with several properties, one for each
//    "model": {...},        constants, properties, the numbers of variables and rules
//    "run": {...},          the command, the machine, the time
//    "series": {...},       samples taken during the search, one list for each figure
//    "sources": [...],      the texts of the model
//    "traces": [...]}       counterexamples, as differences (trace_data.h)
//
// The scripts insert this data into the page only as text. A Content-Security-Policy in the page lists the hashes of
// its scripts and style, so that nothing else can run, whatever the text of a model contains.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "model/model.h"
#include "report/answered.h"
#include "report/result.h"
#include "report/run_info.h"
#include "report/text_sink.h"

namespace strata {

// Data of the page that is not in the report.
struct PageInfo {
  std::string command;  // the command that was run, quoted for a shell
  std::string time;     // when the command was run
  std::vector<std::pair<std::string, std::string>> machine;
  std::vector<SourceFile> sources;
};

void write_page(const Answers& answers, const PageInfo& page, const TextSink& sink);

// A page for a single trace; the model only has to name and describe its steps.
void write_trace_page(const Model& model, const Counterexample& counterexample, const RunInfo& run,
                      const PageInfo& page, const TextSink& sink);

// A page with only this message.
std::string message_page(const std::string& title, const std::string& message);

// The text with < > & and quotes escaped for HTML.
std::string html_text(const std::string& text);

}  // namespace strata
