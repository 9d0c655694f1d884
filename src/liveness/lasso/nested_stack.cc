#include "liveness/lasso/nested_stack.h"

#include <algorithm>

namespace strata {

Status NestedStack::open() {
  if (Status status = frames_.open(); !status.ok()) return status;
  return waiting_.open();
}

uint64_t NestedStack::find(uint64_t place) const {
  uint64_t i = 0;
  while (frames_[i].place != place) ++i;
  return i;
}

bool NestedStack::fits(const SearchRun& run) const {
  const uint64_t bytes = run.info.state_bytes, limit = run.budget.limit() + kPathSlack;
  return path_bytes(size(), bytes) <= limit && size() * bytes <= limit - std::min(limit, run.budget.used());
}

std::vector<uint8_t> NestedStack::states(const StateTable& table) const {
  const uint64_t bytes = table.state_bytes();
  std::vector<uint8_t> states;
  states.reserve(size() * bytes);
  for (uint64_t i = 0; i < size(); ++i) {
    const uint8_t* state = table.state_at(frames_[i].place);
    states.insert(states.end(), state, state + bytes);
  }
  return states;
}

FarError NestedStack::far_error(const DepthFirst& search, const StateTable& table) const {
  FarError error;
  error.states = size();
  for (uint64_t i = search.path->loop.value_or(size()); i < size() && !error.accepting; ++i) {
    const uint8_t* state = table.state_at(frames_[i].place);
    if (search.is_accepting(state)) error.accepting.emplace(state, state + table.state_bytes());
  }
  return error;
}

}  // namespace strata
