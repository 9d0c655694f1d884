#include "explore/trace/findings.h"

#include <tuple>

namespace strata {

bool Finding::operator<(const Finding& other) const {
  const auto rank = [](const Finding& f) {
    // A failing start state has no path at all; a failing firing is one step longer than its state's own failure.
    const bool firing = !f.state.empty() && f.failure.rule != kNoRule;
    return std::make_tuple(!f.state.empty(), f.level, firing, f.failure.kind, f.failure.detail);
  };
  const auto mine = rank(*this), its = rank(other);
  if (mine != its) return mine < its;
  if (state != other.state) return state < other.state;
  return failure.rule < other.failure.rule;
}

void Findings::add(uint64_t level, const Failure& failure, const uint8_t* state, uint64_t state_bytes) {
  Finding finding;
  finding.level = level;
  finding.failure = failure;
  finding.failure.state = 0;
  if (state != nullptr) finding.state.assign(state, state + state_bytes);
  insert(std::move(finding));
}

void Findings::merge(const Findings& other) {
  for (const Finding& finding : other.found_) insert(finding);
}

void Findings::insert(Finding finding) {
  if (found_.size() >= limit_ && !(finding < *found_.rbegin())) return;
  if (const auto known = known_.find(identity(finding)); known != known_.end()) {
    if (!(finding < *known->second)) return;
    found_.erase(known->second);
    known_.erase(known);
  }
  const auto [place, inserted] = found_.insert(std::move(finding));
  known_.emplace(identity(*place), place);
  if (found_.size() <= limit_) return;
  const auto last = std::prev(found_.end());
  known_.erase(identity(*last));
  found_.erase(last);
}

}  // namespace strata
