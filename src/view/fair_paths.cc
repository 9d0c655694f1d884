#include "view/fair_paths.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace strata::ltl {

struct FairModel::Scratch final : ExpansionScratch {
  Scratch(const ModelInfo& info, uint64_t capacity) : inner(info, capacity), enabled(info.processes) {}

  Expansion inner;
  UntouchedVector<uint8_t> states;
  std::vector<uint8_t> accepting;
  std::vector<uint8_t> enabled;  // by process: in the state at hand
  std::vector<uint32_t> movers;
};

FairModel::FairModel(const Model& model)
    : model_(model), info_(model.info()), layout_(info_, info_.processes + 1) {
  info_.state_bits = layout_.bits();
  info_.state_bytes = layout_.bytes();
  uint64_t first = 0;
  for (const RuleInfo& rule : info_.rules) {
    first_instances_.push_back(first);
    first += rule.instances;
  }
  first_instances_.push_back(first);
}

void FairModel::processes_of(uint32_t rule, std::vector<uint32_t>& result) const {
  result.clear();
  if (rule >= first_instances_.back()) return;
  // Of rules without instances, which begin where the next one does, the last is the one meant.
  const auto next = std::upper_bound(first_instances_.begin(), first_instances_.end(), rule);
  const auto number = static_cast<size_t>(next - first_instances_.begin()) - 1;
  const RuleInfo& info = info_.rules[number];
  const uint64_t instance = rule - first_instances_[number];
  const auto value = static_cast<uint32_t>(instance / info.process_stride % info.process_values);
  for (const uint32_t process : info.processes) result.push_back(process + value);
}

FairModel::Scratch& FairModel::scratch(Expansion& out) const {
  if (!out.scratch)
    out.scratch = std::make_unique<Scratch>(model_.info(), std::max(out.capacity(), info_.max_initial));
  Scratch& own = static_cast<Scratch&>(*out.scratch);
  own.inner.deadlock = out.deadlock;
  own.inner.check_properties = out.check_properties;
  own.inner.emit_self_loops = true;
  own.inner.put = out.put;
  own.inner.put_context = out.put_context;
  own.inner.reset();
  return own;
}

void FairModel::initial(Expansion& out) const {
  Scratch& own = scratch(out);
  model_.initial(own.inner);
  for (uint64_t i = 0; i < own.inner.count; ++i) {
    layout_.join(own.inner.successor(i), 0, out.states.data() + i * info_.state_bytes);
    out.rules[i] = own.inner.rules[i];
    out.parents[i] = 0;
  }
  out.count = own.inner.count;
  out.failures = own.inner.failures;
}

uint32_t FairModel::next_counter(uint32_t counter, bool accepting, uint32_t rule, Scratch& own) const {
  if (counter == 0 && !accepting) return 0;
  counter = std::max(counter, 1u);
  processes_of(rule, own.movers);
  // At p it waits for process p - 1.
  while (counter <= info_.processes) {
    const uint32_t process = counter - 1;
    const bool moves = std::find(own.movers.begin(), own.movers.end(), process) != own.movers.end();
    if (own.enabled[process] != 0 && !moves) return counter;
    ++counter;
  }
  return 0;
}

void FairModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  Scratch& own = scratch(out);
  Expansion& inner = own.inner;
  n = std::min(n, std::max<uint64_t>(1, inner.capacity()));
  layout_.states(states, n, own.states);
  model_.expand(own.states.data(), n, inner);
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
      processes_of(inner.rules[k], own.movers);
      for (const uint32_t process : own.movers) own.enabled[process] = 1;
    }
    for (; next < inner.count && inner.parents[next] == i; ++next) {
      const uint32_t rule = inner.rules[next];
      uint8_t* place = out.states.data() + out.count * info_.state_bytes;
      layout_.join(inner.successor(next), next_counter(counter, own.accepting[i] != 0, rule, own), place);
      if (!out.emit_self_loops && std::memcmp(place, parent, info_.state_bytes) == 0) continue;
      out.rules[out.count] = rule;
      out.parents[out.count] = i;
      ++out.count;
    }
  }
  out.failures = inner.failures;
  for (size_t i = 0; i < out.covered.size(); ++i) out.covered[i] |= inner.covered[i];
}

void FairModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  Scratch& own = scratch(out);
  layout_.states(states, n, own.states);
  model_.check(own.states.data(), n, own.inner);
  out.consumed = own.inner.consumed;
  out.failures = own.inner.failures;
  for (size_t i = 0; i < out.covered.size(); ++i) out.covered[i] |= own.inner.covered[i];
}

void FairModel::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                             std::vector<Failure>& failures) const {
  UntouchedVector<uint8_t> own;
  layout_.states(states, n, own);
  model_.propositions(own.data(), n, values, failures);
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
      processes_of(out.rules[k], movers);
      for (const uint32_t process : movers) enabled[process] = 1;
    }
    processes_of(rules[i], movers);
    for (const uint32_t process : movers) served[process] = 1;
    for (size_t process = 0; process < served.size(); ++process) served[process] |= enabled[process] == 0;
  }
  return std::all_of(served.begin(), served.end(), [](uint8_t one) { return one != 0; });
}

Value FairModel::describe(const uint8_t* state) const {
  UntouchedVector<uint8_t> own;
  layout_.states(state, 1, own);
  return model_.describe(own.data());
}

}  // namespace strata::ltl
