// The coverage of a model by a search: how often each rule fired, which rules never fired, and which invariants were
// trivially true. In JSON
//
//   {"whole": true, "rules": [{"name": ..., "line": ..., "column": ..., "fired": ..., "states": ...}, ...], ...}
//
// (all of it is in doc/manual.md, "Coverage"), and as text after the verdict.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "report/json/json_stream.h"
#include "report/result.h"
#include "report/run_info.h"

namespace strata {

// A rule (or a step, if rules consist of steps) and how often it fired.
struct CoveredRule {
  std::string title;  // Rule "Send"; for a step its name
  std::string name;
  SourcePosition position;
  uint64_t fired = 0;
  uint64_t states = 0;  // for a step: the sum over the rules that contain it
};

// Whether every state was seen: then a rule that never fired can never fire.
bool saw_all_states(const SearchResult& result);
// All rules; or all steps, if the model has steps.
std::vector<CoveredRule> covered_rules(const ModelInfo& info, const Coverage& coverage);
std::vector<CoveredRule> covered_steps(const ModelInfo& info, const Coverage& coverage);

struct TrivialInvariant {
  enum class Reason { constant, premise };
  uint32_t property = 0;
  Reason reason = Reason::constant;
  std::vector<SourcePosition> premises;  // those that never held
  bool wholly = true;                    // false: other premises of the invariant did hold
};
// The trivially true invariants: those that do not depend on the state, or whose premises (all or some) never held.
std::vector<TrivialInvariant> trivial_invariants(const ModelInfo& info, const SearchResult& result);

// The section of the text report; may be empty.
std::string coverage_section(const ModelInfo& info, const SearchResult& result, CoverageMode mode);
JsonStream::Json coverage_json(const ModelInfo& info, const SearchResult& result, JsonStream& stream);

}  // namespace strata
