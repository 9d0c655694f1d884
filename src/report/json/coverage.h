// What a search has met of the model, in words: how often each rule fired, the rules that never did, and the
// invariants that were trivially true. In JSON
//
//   {"whole": true, "rules": [{"name": ..., "line": ..., "column": ..., "fired": ..., "states": ...}, ...], ...}
//
// (doc/manual.md, "Coverage", has all of it), and as text behind the verdict.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "report/json/json_stream.h"
#include "report/result.h"
#include "report/run_info.h"

namespace strata {

// A rule or, where rules are made of steps, a step, and how often it fired.
struct CoveredRule {
  std::string title;  // Rule "Send"; of a step its name
  std::string name;
  SourcePosition position;
  uint64_t fired = 0;
  uint64_t states = 0;  // of a step: a rule at a time
};

// Whether every state was seen, so that what did not happen cannot happen.
bool saw_all_states(const SearchResult& result);
// All rules; or all steps, where there are any.
std::vector<CoveredRule> covered_rules(const ModelInfo& info, const Coverage& coverage);
std::vector<CoveredRule> covered_steps(const ModelInfo& info, const Coverage& coverage);

struct TrivialInvariant {
  enum class Reason { constant, premise };
  uint32_t property = 0;
  Reason reason = Reason::constant;
  std::vector<SourcePosition> premises;  // that never held
  bool wholly = true;                    // false: the invariant has other premises, which did hold
};
// The invariants that said nothing of any state, or nothing in a part of them.
std::vector<TrivialInvariant> trivial_invariants(const ModelInfo& info, const SearchResult& result);

// The section of the text report; empty: there is nothing to say.
std::string coverage_section(const ModelInfo& info, const SearchResult& result, CoverageMode mode);
JsonStream::Json coverage_json(const ModelInfo& info, const SearchResult& result, JsonStream& stream);

}  // namespace strata
