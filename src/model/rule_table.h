// The rule of a rule instance, and the processes that move.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.h"
#include "model/rule_counts.h"

namespace strata {

class RuleTable {
 public:
  // `info` must outlive the table.
  explicit RuleTable(const ModelInfo& info) : info_(info), index_(info) {}

  // The number of the rule in ModelInfo::rules; none for a step that belongs to no rule, such as a stuttering step.
  std::optional<size_t> rule_of(uint32_t instance) const {
    const uint64_t number = index_.rule_of(instance);
    return number < info_.rules.size() ? std::optional<size_t>(number) : std::nullopt;
  }
  // Where the rule is in the text of the model; of line 0: not known.
  SourcePosition position_of(uint32_t instance) const {
    const std::optional<size_t> number = rule_of(instance);
    return number ? info_.rules[*number].position : SourcePosition{};
  }
  // The processes that move when the instance fires.
  void processes_of(uint32_t instance, std::vector<uint32_t>& result) const {
    result.clear();
    const std::optional<size_t> number = rule_of(instance);
    if (!number) return;
    const RuleInfo& rule = info_.rules[*number];
    const uint64_t place = instance - index_.first(*number);
    const auto value = static_cast<uint32_t>(place / rule.process_stride % rule.process_values);
    for (const uint32_t process : rule.processes) result.push_back(process + value);
  }

 private:
  const ModelInfo& info_;
  const RuleIndex index_;
};

}  // namespace strata
