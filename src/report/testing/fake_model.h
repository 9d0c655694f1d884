// A hand-written model for the tests of this folder: one byte of state, described by a table of Values, with realistic
// names and failures. Only the functions that reports call are implemented.
#pragma once

#include <utility>
#include <vector>

#include "model/model.h"
#include "report/result.h"

namespace strata {

inline Value number(int64_t n) { return {Value::Kind::integer, n, "", {}}; }
inline Value boolean(bool b) { return {Value::Kind::boolean, b ? 1 : 0, "", {}}; }
inline Value symbol(std::string name) { return {Value::Kind::symbol, 0, std::move(name), {}}; }
inline Value undefined() { return {}; }
inline Value compound(Value::Kind kind, std::vector<std::pair<std::string, Value>> members) {
  return {kind, 0, "", std::move(members)};
}

class FakeModel : public Model {
 public:
  FakeModel() {
    info_.path = "fake.m";
    info_.language = "murphi";
    info_.state_bits = 5;
    info_.state_bytes = 1;
    info_.variables = {{"x", "0..9", 4}, {"p", "array [1..2] of Pc", 4}, {"m", "multiset [2] of 0..3", 6}};
    info_.properties = {{PropertyKind::invariant, "mutex", {12, 1}},
                        {PropertyKind::cover, "x was 2", {14, 1}}};
  }
  const ModelInfo& info() const override { return info_; }
  void starts(Expansion&, const Full&) const override {}
  void expand(const uint8_t*, uint64_t, Expansion&) const override {}
  void check(const uint8_t*, uint64_t, Expansion&) const override {}
  // State n: x is n, process 1 is at L<n>, and the multiset holds n elements.
  Value describe(const uint8_t* state) const override {
    const int n = state[0];
    std::vector<std::pair<std::string, Value>> elements;
    for (int i = 0; i < n; ++i) elements.emplace_back(std::to_string(i), number(3));
    return compound(
        Value::Kind::record,
        {{"x", number(n)},
         {"p", compound(Value::Kind::array, {{"1", symbol("L" + std::to_string(n))}, {"2", undefined()}})},
         {"r", compound(Value::Kind::record, {{"b", boolean(n > 1)}})},
         {"m", compound(Value::Kind::multiset, std::move(elements))}});
  }
  InstanceName rule_name(uint32_t rule) const override {
    return {"step", ", i:" + std::to_string(rule), true};
  }
  InstanceName start_name(uint32_t start) const override {
    return {"Startstate " + std::to_string(start), "", false};
  }
  FailureText describe_failure(const Failure&) const override { return {}; }

 protected:
  ModelInfo info_;
};

// The path 0 -> 2 -> 1 to a state that breaks the invariant.
inline Counterexample invariant_counterexample() {
  Counterexample out;
  out.steps = {{0, {0}}, {1, {2}}, {2, {1}}};
  out.text = {FailureText::Verdict::invariant, "Invariant \"mutex\" failed.", {12, 1}};
  return out;
}

// The path 0 -> 1, and then a rule that divides by zero.
inline Counterexample runtime_counterexample() {
  Counterexample out;
  out.steps = {{0, {0}}, {1, {1}}};
  out.failure = {0, 7, Failure::Kind::runtime, 3};
  out.text = {FailureText::Verdict::error, "Division by zero.", {20, 9}};
  return out;
}

}  // namespace strata
