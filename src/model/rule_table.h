// The rules of a model by the numbers of their instances: which rule it is, and who moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.h"

namespace strata {

class RuleTable {
 public:
  // The info must outlive it.
  explicit RuleTable(const ModelInfo& info) : info_(info) {
    uint64_t first = 0;
    for (const RuleInfo& rule : info_.rules) {
      first_instances_.push_back(first);
      first += rule.instances;
    }
    first_instances_.push_back(first);
  }

  // The number of the rule in ModelInfo::rules; none for what no rule is, a step that stutters for example.
  std::optional<size_t> rule_of(uint32_t instance) const {
    if (instance >= first_instances_.back()) return std::nullopt;
    // Of rules without instances, which begin where the next one does, the last is the one meant.
    const auto next = std::upper_bound(first_instances_.begin(), first_instances_.end(), instance);
    return static_cast<size_t>(next - first_instances_.begin()) - 1;
  }
  // The processes that move by an instance.
  void processes_of(uint32_t instance, std::vector<uint32_t>& result) const {
    result.clear();
    const std::optional<size_t> number = rule_of(instance);
    if (!number) return;
    const RuleInfo& rule = info_.rules[*number];
    const uint64_t place = instance - first_instances_[*number];
    const auto value = static_cast<uint32_t>(place / rule.process_stride % rule.process_values);
    for (const uint32_t process : rule.processes) result.push_back(process + value);
  }

 private:
  const ModelInfo& info_;
  std::vector<uint64_t> first_instances_;  // by rule; ascending
};

}  // namespace strata
