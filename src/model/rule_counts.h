// How often each rule of a model fired, and in how many states; coverage reports are made of these counts. A caller of
// Model::expand may pass them in ExpansionOptions::counts. Each thread has its own; they are added up at the end.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

struct ModelInfo;

// Compiled models count in this struct, too (native/abi.h).
struct RuleCount {
  uint64_t fired = 0;  // how often an instance of the rule fired
  uint64_t last = 0;   // the last state in which one fired; only for the counting
  // In how many expanded states at least one instance fired. 0 although the rule fired: in `fired` states, because the
  // rule has one instance, which fires at most once per state.
  uint64_t states = 0;
};

// Finds the rule of an instance.
class RuleIndex {
 public:
  explicit RuleIndex(const ModelInfo& info);

  // For a number that is not an instance's, such as that of a stuttering step: the number of rules.
  uint64_t rule_of(uint32_t instance) const {
    if (instance >= firsts_.back()) return firsts_.size() - 1;
    return table_.empty() ? search(instance) : table_[instance];
  }
  // The number of the rule's first instance.
  uint64_t first(uint64_t rule) const { return firsts_[rule]; }

 private:
  uint64_t search(uint32_t instance) const;

  std::vector<uint64_t> firsts_;  // of each rule; at the end, the number of all instances
  std::vector<uint32_t> table_;   // by instance; empty: too many instances for a table
};

struct RuleCounts {
  explicit RuleCounts(const ModelInfo& info);

  // The bytes that the counts take.
  static uint64_t bytes(const ModelInfo& info);

  // Begins the next state.
  void next_state() { ++state; }
  // One or more instances of the rule fired in it.
  void count(uint64_t rule, uint64_t times = 1) {
    RuleCount& one = rules[rule];
    one.fired += times;
    one.states += one.last != state ? 1 : 0;
    one.last = state;
  }
  void add(const RuleCounts& other);
  uint64_t fired() const;  // by all rules

  uint64_t state = 0;            // the number of expanded states
  std::vector<RuleCount> rules;  // the last one counts steps that belong to no rule
};

}  // namespace strata
