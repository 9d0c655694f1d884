// The groups of rules to which paths are fair (model/fairness.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/fairness.h"
#include "model/model.h"
#include "model/rule_table.h"

namespace strata {

class FairGroups {
 public:
  // The copies of a state that strong fairness needs may double with each group.
  static constexpr uint32_t kMostStrong = 16;

  // Weakly fair to the processes of the model, which must outlive the groups.
  explicit FairGroups(const Model& model);
  // An error if a request names what the model does not have, or asks for too many strong groups.
  static Result<FairGroups> make(const Model& model, const std::vector<FairnessRequest>& requests);

  // Groups are numbered from 0, the weak ones first.
  uint32_t count() const { return weak_ + strong_; }
  uint32_t weak() const { return weak_; }
  uint32_t strong() const { return strong_; }
  // The groups that move when the rule instance fires.
  void of(uint32_t instance, std::vector<uint32_t>& result) const;
  // For reports: "weak, to 3 processes; strong, to rule "enter" by p (2)".
  const std::string& words() const { return words_; }

 private:
  struct Builder;

  RuleTable rules_;
  // Whether weak groups 0 to weak_ - 1 are the processes of the model, which need no table.
  bool only_processes_ = true;
  uint32_t weak_ = 0, strong_ = 0;
  // Otherwise the groups of instance i are groups_[first_[i]] to groups_[first_[i + 1] - 1].
  std::vector<uint32_t> first_, groups_;
  std::string words_;
};

}  // namespace strata
