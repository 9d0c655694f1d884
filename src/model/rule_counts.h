// How often each rule of a model fired, and in how many states: what coverage reports are made of. Whoever
// has a model expanded may hand it such counts (ExpansionOptions::counts); each thread has its own, and they
// are added up at the end.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

struct ModelInfo;

// Compiled models count in these too (native/abi.h).
struct RuleCount {
  uint64_t fired = 0;  // how often an instance of the rule fired
  uint64_t last = 0;   // the number of the last state in which one did; for the counting alone
  // In how many of the expanded states one or more did; 0 although it fired: in as many, as it can fire once
  // in a state only.
  uint64_t states = 0;
};

// The rule behind the number of an instance.
class RuleIndex {
 public:
  explicit RuleIndex(const ModelInfo& info);

  // For a number that is no instance's, as that of a step that stutters: the number of rules.
  uint64_t rule_of(uint32_t instance) const {
    if (instance >= firsts_.back()) return firsts_.size() - 1;
    return table_.empty() ? search(instance) : table_[instance];
  }
  // The number of its first instance.
  uint64_t first(uint64_t rule) const { return firsts_[rule]; }

 private:
  uint64_t search(uint32_t instance) const;

  std::vector<uint64_t> firsts_;  // and, at the end, the number of all instances
  std::vector<uint32_t> table_;   // by instance; empty: there are too many
};

struct RuleCounts {
  explicit RuleCounts(const ModelInfo& info);

  // How much memory that takes.
  static uint64_t bytes(const ModelInfo& info);

  // The next state to be expanded.
  void next_state() { ++state; }
  // An instance of the rule fired in it, or several.
  void count(uint64_t rule, uint64_t times = 1) {
    RuleCount& one = rules[rule];
    one.fired += times;
    one.states += one.last != state ? 1 : 0;
    one.last = state;
  }
  void add(const RuleCounts& other);
  uint64_t fired() const;  // in all

  uint64_t state = 0;            // how many states were expanded: the number of the last
  std::vector<RuleCount> rules;  // at the end, one for steps that are no rule's
};

}  // namespace strata
