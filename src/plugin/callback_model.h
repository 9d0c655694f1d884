// A model that gives its states one by one, each by a call of its own: slower than compiled text, whose calls
// carry batches, and all that a stranger's object can be asked for.
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
  // The successors of one state, or the start states.
  struct Found : ExpansionScratch {
    // A number beyond `numbers`, that of all rules or start states, is kept apart, and so is what is more
    // than `most` allows.
    void add(uint32_t rule, const void* state);
    void clear();
    bool empty() const { return rules.empty() && failed.empty() && wrong.empty(); }

    uint64_t state_bytes = 0;
    uint64_t numbers = 0, most = 0;
    std::vector<uint8_t> states;
    std::vector<uint32_t> rules;
    std::vector<uint32_t> failed;  // rules that failed
    std::vector<uint32_t> wrong;   // numbers that no rule has
  };

  virtual void find_starts(Found& found) const = 0;
  virtual void find_successors(const uint8_t* state, Found& found) const = 0;
  // The number of a property that the state violates, or -1. Another number is an error of the model.
  virtual int violated(const uint8_t* /*state*/) const { return -1; }

  void add_rule(const std::string& name) { info_.rules.emplace_back().name = name; }

  ModelInfo info_;

 private:
  // How many numbers start states may have.
  virtual uint64_t start_numbers() const { return info_.max_initial; }
  bool check_one(const uint8_t* state, uint32_t number, Expansion& out) const;
  bool append(const uint8_t* state, uint32_t number, const Found& found, Expansion& out) const;
};

}  // namespace strata
