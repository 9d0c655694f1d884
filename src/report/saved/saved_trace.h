// A trace that was saved in the Informal Trace Format (ADR-015 of Apalache), by Strata (itf_trace.h) or
// another tool, as a Model that can do what reports need: name the steps and describe the states. A state is its number
// in the file.
//
// Values of other tools become values of models: tuples and sequences become arrays, sets become multisets, maps become
// arrays indexed by their keys, and numbers beyond 64 bits become texts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "model/model.h"
#include "report/result.h"

namespace strata {

class SavedTrace final : public Model {
 public:
  // A file that is not a trace is an error that names the place in the file.
  static Result<SavedTrace> read(const SourceFile& file);

  const Counterexample& counterexample() const { return counterexample_; }
  const std::vector<Value>& states() const { return states_; }
  // The propositions whose values the file has.
  const std::vector<std::string>& proposition_names() const { return propositions_; }

  const ModelInfo& info() const override { return info_; }
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  Value describe(const uint8_t* state) const override;
  InstanceName rule_name(uint32_t rule) const override;
  InstanceName start_name(uint32_t start) const override { return rule_name(start); }
  FailureText describe_failure(const Failure&) const override { return counterexample_.text; }
  // There is nothing to search.
  void starts(Expansion&, const Full&) const override {}
  void expand(const uint8_t*, uint64_t, Expansion&) const override {}
  void check(const uint8_t*, uint64_t, Expansion&) const override {}

 private:
  friend class SavedTraceReader;  // trace_reader.cc
  SavedTrace() = default;

  ModelInfo info_;
  Counterexample counterexample_;
  std::vector<Value> states_;
  std::vector<InstanceName> rules_;  // by number
  std::vector<std::string> propositions_;
  std::vector<uint64_t> truths_;  // by state
};

}  // namespace strata
