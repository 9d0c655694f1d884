#include "plugin/callback_model.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>

namespace strata {
namespace {

// The kinds of run-time errors.
enum Site : uint32_t { kRuleFailed, kTooMany, kNoStart, kWrongRule, kWrongStart, kWrongInvariant };

}  // namespace

void CallbackModel::Found::add(uint32_t rule, const void* state) {
  if (rule >= numbers) {
    // One wrong number is enough for the message.
    if (wrong.empty()) wrong.push_back(rule);
    return;
  }
  if (rules.size() + failed.size() > most) return;
  if (state == nullptr) {
    failed.push_back(rule);
    return;
  }
  const auto* bytes = static_cast<const uint8_t*>(state);
  states.insert(states.end(), bytes, bytes + state_bytes);
  rules.push_back(rule);
}

void CallbackModel::Found::clear() {
  states.clear();
  rules.clear();
  failed.clear();
  wrong.clear();
}

void CallbackModel::starts(Expansion& out, const Full& full) const {
  Found found;
  found.state_bytes = info_.state_bytes;
  found.numbers = start_numbers();
  found.most = UINT64_MAX;
  find_starts(found);
  for (const uint32_t start : found.wrong)
    out.failures.push_back({0, 0, Failure::Kind::runtime, kWrongStart, start});
  for (const uint32_t start : found.failed)
    out.failures.push_back({0, start, Failure::Kind::runtime, kRuleFailed});
  if (found.empty()) out.failures.push_back({0, 0, Failure::Kind::runtime, kNoStart});
  for (size_t i = 0; i < found.rules.size(); ++i) {
    out.make_room(full);
    std::memcpy(out.states.data() + out.count * out.state_bytes, found.states.data() + i * info_.state_bytes,
                info_.state_bytes);
    out.rules[out.count] = found.rules[i];
    out.parents[out.count] = 0;
    ++out.count;
  }
}

bool CallbackModel::check_one(const uint8_t* state, uint32_t number, Expansion& out) const {
  const int property = violated(state);
  if (property == -1) return true;
  if (property < 0 || static_cast<uint64_t>(property) >= info_.properties.size())
    out.failures.push_back({number, kNoRule, Failure::Kind::runtime, kWrongInvariant, property});
  else
    out.failures.push_back({number, kNoRule, Failure::Kind::property, static_cast<uint32_t>(property)});
  return false;
}

// False: they do not fit.
bool CallbackModel::append(const uint8_t* state, uint32_t number, const Found& found, Expansion& out) const {
  if (out.count + found.rules.size() > out.capacity() && number > 0) return false;
  const bool too_many = found.rules.size() > info_.max_successors;
  ++out.consumed;
  out.transitions += found.rules.size() + found.failed.size();
  if (out.counts != nullptr) {
    out.counts->next_state();
    for (const uint32_t rule : found.rules) out.counts->count(rule);
    for (const uint32_t rule : found.failed) out.counts->count(rule);
  }
  for (const uint32_t rule : found.failed)
    out.failures.push_back({number, rule, Failure::Kind::runtime, kRuleFailed});
  for (const uint32_t rule : found.wrong)
    out.failures.push_back({number, kNoRule, Failure::Kind::runtime, kWrongRule, rule});
  if (too_many) {
    out.failures.push_back({number, found.rules.back(), Failure::Kind::runtime, kTooMany});
    return true;
  }
  bool moved = !found.failed.empty() || !found.wrong.empty();
  for (size_t i = 0; i < found.rules.size(); ++i) {
    const uint8_t* successor = found.states.data() + i * info_.state_bytes;
    const bool same = std::memcmp(successor, state, info_.state_bytes) == 0;
    moved |= !same;
    if (same && !out.emit_self_loops) continue;
    std::memcpy(out.states.data() + out.count * out.state_bytes, successor, info_.state_bytes);
    out.rules[out.count] = found.rules[i];
    out.parents[out.count] = number;
    ++out.count;
  }
  const bool enabled = !found.empty();
  const bool dead = out.deadlock == DeadlockMode::stuck        ? !enabled
                    : out.deadlock == DeadlockMode::stuttering ? !moved
                                                               : false;
  if (dead) out.failures.push_back({number, kNoRule, Failure::Kind::deadlock, 0});
  return true;
}

void CallbackModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  auto* found = dynamic_cast<Found*>(out.scratch.get());
  if (found == nullptr) {
    auto fresh = std::make_unique<Found>();
    found = fresh.get();
    found->state_bytes = info_.state_bytes;
    found->numbers = info_.rules.size();
    found->most = info_.max_successors;
    out.scratch = std::move(fresh);
  }
  for (uint32_t i = 0; i < n; ++i) {
    const uint8_t* state = states + i * info_.state_bytes;
    if (out.check_properties && !check_one(state, i, out)) {
      if (out.counts != nullptr) out.counts->next_state();
      ++out.consumed;
      continue;
    }
    found->clear();
    find_successors(state, *found);
    if (!append(state, i, *found, out)) break;
  }
}

void CallbackModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  for (uint32_t i = 0; i < n; ++i) check_one(states + i * info_.state_bytes, i, out);
  out.consumed = n;
}

InstanceName CallbackModel::rule_name(uint32_t rule) const {
  if (rule < info_.rules.size()) return {info_.rules[rule].name, "", true};
  return {"Rule " + std::to_string(rule), "", false};
}

FailureText CallbackModel::describe_failure(const Failure& failure) const {
  if (failure.kind == Failure::Kind::deadlock)
    return {FailureText::Verdict::deadlock, "Deadlocked state found.", {}};
  if (failure.kind == Failure::Kind::property)
    return {FailureText::Verdict::invariant,
            "Invariant \"" + info_.properties[failure.detail].name + "\" failed.",
            {}};
  if (failure.detail == kTooMany)
    return {FailureText::Verdict::error,
            "a state has more successors than the " + std::to_string(info_.max_successors) +
                " that the model allows",
            {}};
  const auto beyond = [&](const char* what, uint64_t count) {
    return FailureText{
        FailureText::Verdict::error,
        fmt::format(
            "the object returned {} {}, but {}; correct the object", what, failure.value,
            count == 0 ? "it has none" : fmt::format("its {}s are numbered 0 to {}", what, count - 1)),
        {}};
  };
  if (failure.detail == kWrongRule) return beyond("rule", info_.rules.size());
  if (failure.detail == kWrongStart) return beyond("start state", start_numbers());
  if (failure.detail == kWrongInvariant) return beyond("invariant", info_.properties.size());
  if (failure.detail == kNoStart) return {FailureText::Verdict::error, "there is no start state", {}};
  return {FailureText::Verdict::error, "the rule failed", {}};
}

}  // namespace strata
