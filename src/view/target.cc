#include "view/target.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace strata {

TargetModel::TargetModel(const Model& model, std::vector<uint8_t> target, std::vector<uint8_t> starts)
    : View(model), target_(std::move(target)), starts_(std::move(starts)) {
  hide_properties();
  property_ = add_property(PropertyKind::invariant, "not reached");
  info_.deadlock = DeadlockMode::off;
  if (!starts_.empty()) info_.max_initial = starts_.size() / info_.state_bytes;
}

void TargetModel::starts(Expansion& out, const Full& full) const {
  if (starts_.empty()) return model_.starts(out, full);
  for (uint32_t i = 0; i < info_.max_initial; ++i) {
    out.make_room(full);
    std::memcpy(out.states.data() + out.count * info_.state_bytes, starts_.data() + i * info_.state_bytes,
                info_.state_bytes);
    out.rules[out.count] = i;
    out.parents[out.count++] = 0;
  }
}

void TargetModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  ExpansionOptions options = out.options();
  options.check_properties = false;
  options.deadlock = DeadlockMode::off;
  expand_with(options, states, n, out);
  if (out.check_properties) note_target(states, out.consumed, out);
}

void TargetModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  out.consumed = n;
  note_target(states, n, out);
}

void TargetModel::note_target(const uint8_t* states, uint64_t n, Expansion& out) const {
  if (target_.empty()) return;
  for (uint32_t i = 0; i < n; ++i) {
    if (std::memcmp(states + i * info_.state_bytes, target_.data(), target_.size()) == 0)
      out.failures.push_back({i, kNoRule, Failure::Kind::property, property_});
  }
}

InstanceName TargetModel::start_name(uint32_t start) const {
  return starts_.empty() ? model_.start_name(start) : InstanceName{"start", "", false};
}

FailureText TargetModel::describe_failure(const Failure& failure) const {
  if (!is_target(failure)) return model_.describe_failure(failure);
  return {FailureText::Verdict::invariant, "The state was reached.", {}};
}

}  // namespace strata
