// A model that computes successors with one call per state. Slower than generated code, which works on batches, but the
// interface of foreign objects has nothing faster.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace strata {

class CallbackModel : public Model {
 public:
  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  InstanceName rule_name(uint32_t rule) const override;
  FailureText describe_failure(const Failure& failure) const override;

 protected:
  // Collects the successors of one state, or the start states.
  struct Found : ExpansionScratch {
    // Numbers not below `numbers` (of all rules or start states) are recorded as wrong. Of too many
    // successors only the first `most` + 1 are kept.
    void add(uint32_t rule, const void* state);
    void clear();
    bool empty() const { return rules.empty() && failed.empty() && wrong.empty(); }

    uint64_t state_bytes = 0;
    uint64_t numbers = 0, most = 0;
    std::vector<uint8_t> states;
    std::vector<uint32_t> rules;
    std::vector<uint32_t> failed;  // rules whose evaluation failed
    std::vector<uint32_t> wrong;   // numbers that belong to no rule
  };

  virtual void find_starts(Found& found) const = 0;
  virtual void find_successors(const uint8_t* state, Found& found) const = 0;
  // The number of an invariant that the state violates, or -1. Other numbers are an error of the object.
  virtual int violated(const uint8_t* /*state*/) const { return -1; }

  void add_rule(const std::string& name) { info_.rules.emplace_back().name = name; }

  ModelInfo info_;

 private:
  // The number of start states that have numbers.
  virtual uint64_t start_numbers() const { return info_.max_initial; }
  bool check_one(const uint8_t* state, uint32_t number, Expansion& out) const;
  bool append(const uint8_t* state, uint32_t number, const Found& found, Expansion& out) const;
};

}  // namespace strata
