// The page of --report: one HTML file that needs nothing else, neither a network nor a server.
//
// Its parts are the files of assets/, embedded when Strata is built, and one block of data, a JSON object:
//
//   {"report": {...},       the object of --json without the steps of counterexamples; null for a trace alone
//    "verdict": [...],      what was found, in lines
//    "model": {...},        constants, properties, the numbers of variables and rules
//    "run": {...},          the command, the machine, when it was made
//    "series": {...},       moments of the search, a list for each figure
//    "sources": [...],      the texts of the model
//    "traces": [...]}       counterexamples, in differences (trace_data.h)
//
// What the page shows comes from there, and the scripts put it on the page as text alone. A policy in the
// page (Content-Security- Policy) names the scripts and the style by their hashes, so that nothing else runs
// whatever a model's text holds.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "model/model.h"
#include "report/result.h"
#include "report/run_info.h"
#include "report/text_sink.h"

namespace strata {

// What the page says beside the report itself.
struct PageInfo {
  std::string command;  // that was run, as a shell takes it
  std::string time;     // when it was made
  std::vector<std::pair<std::string, std::string>> machine;
  std::vector<SourceFile> sources;
};

void write_page(const Model& model, const SearchResult& result, const RunInfo& run, const PageInfo& page,
                const TextSink& sink);

// The page of a trace alone: a model that only names and describes its steps.
void write_trace_page(const Model& model, const Counterexample& counterexample, const RunInfo& run,
                      const PageInfo& page, const TextSink& sink);

// A page that only says this.
std::string message_page(const std::string& title, const std::string& message);

// With < > & and quotes as HTML wants them.
std::string html_text(const std::string& text);

}  // namespace strata
