#include "engine/trace/findings.h"

#include <iterator>
#include <tuple>
#include <utility>

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

void Findings::take(Findings& other) {
  other.known_.clear();
  while (!other.found_.empty()) insert(std::move(other.found_.extract(other.found_.begin()).value()));
}

void Findings::insert(Finding finding) {
  if (found_.size() >= limit_ && !(finding < *found_.rbegin())) return;
  if (const auto known = known_.find(finding); known != known_.end()) {
    const Place worse = *known;
    if (!(finding < *worse)) return;
    known_.erase(known);
    found_.erase(worse);
  }
  known_.insert(found_.insert(std::move(finding)).first);
  if (found_.size() <= limit_) return;
  const Place last = std::prev(found_.end());
  known_.erase(last);
  found_.erase(last);
}

}  // namespace strata
