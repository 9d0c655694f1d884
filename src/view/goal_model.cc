#include "view/goal_model.h"

namespace strata {

GoalModel::GoalModel(const Model& model) : View(model) {
  for (PropertyInfo& property : info_.properties)
    if (property.kind != PropertyKind::liveness) property.kind = PropertyKind::proposition;
}

void GoalModel::note_failures(const uint8_t* state, uint32_t n, std::vector<Failure>& failures) const {
  note_lacking(lacking_(state), n, failures);
}

void GoalModel::note_lacking(uint64_t lacking, uint32_t n, std::vector<Failure>& failures) const {
  for (uint64_t goal = 0; goal < info_.goals.size(); ++goal) {
    if ((lacking >> goal & 1) != 0)
      failures.push_back({n, kNoRule, Failure::Kind::property, info_.goals[goal]});
  }
}

void GoalModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  ExpansionOptions options = out.options();
  options.check_properties = false;
  options.deadlock = DeadlockMode::off;
  expand_with(options, states, n, out);
  if (out.check_properties) judge(states, out.consumed, out.failures);
}

void GoalModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  out.consumed = n;
  judge(states, n, out.failures);
}

void GoalModel::judge(const uint8_t* states, uint64_t n, std::vector<Failure>& failures) const {
  std::vector<uint64_t> values(n);
  model_.propositions(states, n, values.data(), failures);
  for (uint32_t i = 0; i < n && lacking_; ++i) note_failures(states + i * info_.state_bytes, i, failures);
}

}  // namespace strata
