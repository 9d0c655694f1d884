#include "view/fair_paths.h"

#include <algorithm>
#include <memory>

namespace strata {

struct FairModel::FairScratch final : Scratch {
  FairScratch(const ModelInfo& info, uint64_t capacity) : Scratch(info, capacity), enabled(info.processes) {}

  std::vector<uint8_t> accepting;
  std::vector<uint8_t> enabled;  // by process, in the current state
  std::vector<uint32_t> movers;
};

// The counter begins at 0.
FairModel::FairModel(const Model& model)
    : ExtendedView(model, model.info().processes + 1, 0), rules_(info_) {}

std::unique_ptr<InnerScratch> FairModel::make_scratch(uint64_t capacity) const {
  return std::make_unique<FairScratch>(model_.info(), capacity);
}

uint32_t FairModel::next_counter(uint32_t counter, bool accepting, uint32_t rule, FairScratch& own) const {
  if (counter == 0 && !accepting) return 0;
  counter = std::max(counter, 1u);
  rules_.processes_of(rule, own.movers);
  // At p, the counter waits for process p - 1.
  while (counter <= info_.processes) {
    const uint32_t process = counter - 1;
    const bool moves = std::find(own.movers.begin(), own.movers.end(), process) != own.movers.end();
    if (own.enabled[process] != 0 && !moves) return counter;
    ++counter;
  }
  return 0;
}

void FairModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  FairScratch& own = static_cast<FairScratch&>(scratch(out));
  const Expansion& inner = own.inner;
  expand_inner(states, n, own);
  own.accepting.resize(inner.consumed);
  model_.accepting(own.states.data(), inner.consumed, own.accepting.data());
  out.consumed = inner.consumed;
  out.transitions = inner.transitions;
  uint64_t next = 0;
  for (uint32_t i = 0; i < inner.consumed; ++i) {
    const uint8_t* parent = states + i * info_.state_bytes;
    const uint32_t counter = layout_.number(parent);
    std::fill(own.enabled.begin(), own.enabled.end(), uint8_t{0});
    for (uint64_t k = next; k < inner.count && inner.parents[k] == i; ++k) {
      rules_.processes_of(inner.rules[k], own.movers);
      for (const uint32_t process : own.movers) own.enabled[process] = 1;
    }
    for (; next < inner.count && inner.parents[next] == i; ++next) {
      const uint32_t rule = inner.rules[next];
      append(inner.successor(next), next_counter(counter, own.accepting[i] != 0, rule, own), rule, i, parent,
             out);
    }
  }
  add_findings(inner, out);
}

void FairModel::accepting(const uint8_t* states, uint64_t n, uint8_t* values) const {
  UntouchedVector<uint8_t> own;
  for (uint64_t i = 0; i < n; ++i) {
    const uint8_t* state = states + i * info_.state_bytes;
    values[i] = 0;
    if (layout_.number(state) != 0) continue;
    layout_.states(state, 1, own);
    model_.accepting(own.data(), 1, &values[i]);
  }
}

bool FairModel::is_fair(const std::vector<const uint8_t*>& states, const std::vector<uint32_t>& rules) const {
  std::vector<uint8_t> served(info_.processes, 0), enabled(info_.processes);
  std::vector<uint32_t> movers;
  UntouchedVector<uint8_t> own;
  for (size_t i = 0; i < states.size(); ++i) {
    Expansion out(model_.info(), std::max<uint64_t>(model_.info().max_successors, 1));
    out.emit_self_loops = true;
    out.check_properties = false;
    out.deadlock = DeadlockMode::off;
    layout_.states(states[i], 1, own);
    model_.expand(own.data(), 1, out);
    std::fill(enabled.begin(), enabled.end(), uint8_t{0});
    for (uint64_t k = 0; k < out.count; ++k) {
      rules_.processes_of(out.rules[k], movers);
      for (const uint32_t process : movers) enabled[process] = 1;
    }
    rules_.processes_of(rules[i], movers);
    for (const uint32_t process : movers) served[process] = 1;
    for (size_t process = 0; process < served.size(); ++process) served[process] |= enabled[process] == 0;
  }
  return std::all_of(served.begin(), served.end(), [](uint8_t one) { return one != 0; });
}

}  // namespace strata
