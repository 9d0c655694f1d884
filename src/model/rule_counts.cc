#include "model/rule_counts.h"

#include <algorithm>

#include "model/model.h"

namespace strata {

namespace {
// For more instances than this, a table would take too much memory.
constexpr uint64_t kMostInTable = 1 << 16;
}  // namespace

RuleIndex::RuleIndex(const ModelInfo& info) {
  uint64_t first = 0;
  for (const RuleInfo& rule : info.rules) {
    firsts_.push_back(first);
    first += rule.instances;
  }
  firsts_.push_back(first);
  if (first > kMostInTable) return;
  for (uint32_t rule = 0; rule < info.rules.size(); ++rule)
    table_.insert(table_.end(), info.rules[rule].instances, rule);
}

// Rules without instances begin where the next rule begins, so the last rule that begins there is the right one.
uint64_t RuleIndex::search(uint32_t instance) const {
  const auto next = std::upper_bound(firsts_.begin(), firsts_.end(), instance);
  return static_cast<uint64_t>(next - firsts_.begin()) - 1;
}

RuleCounts::RuleCounts(const ModelInfo& info) : rules(info.rules.size() + 1) {}

uint64_t RuleCounts::bytes(const ModelInfo& info) { return (info.rules.size() + 1) * sizeof(RuleCount); }

void RuleCounts::add(const RuleCounts& other) {
  state += other.state;
  for (size_t i = 0; i < rules.size(); ++i) {
    rules[i].fired += other.rules[i].fired;
    rules[i].states += other.rules[i].states;
  }
}

uint64_t RuleCounts::fired() const {
  uint64_t sum = 0;
  for (const RuleCount& rule : rules) sum += rule.fired;
  return sum;
}

}  // namespace strata
