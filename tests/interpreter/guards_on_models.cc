// Compares the interpreter of ir/interpret with compiled code on the reachable states of models:
//
//   guards_on_models [--states N] MODEL...
//
// In each state, a rule instance is enabled for the interpreter exactly if the compiled model fires it or fails in it,
// and where the compiled model finds no property broken, the interpreter finds none. Exit code 0: all agree.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ir/interpret/interpreter.h"
#include "ir/walker.h"
#include "lang/language.h"
#include "model/rule_counts.h"
#include "native/native.h"

namespace strata {
namespace {

class Comparison {
 public:
  Comparison(const ir::Program& program, const Model& model)
      : program_(program),
        model_(model),
        interpreter_(program),
        index_(model.info()),
        out_(model.info(), std::max<uint64_t>(model.info().max_successors, model.info().max_initial) + 1) {
    out_.emit_self_loops = true;
    for (const ir::Rule& rule : program.rules) {
      goes_first_ |= rule.priority != 0 || rule.otherwise;
      guards_change_ |= rule.guard_changes;
    }
    ir::Walker walker;
    walker.on_stmt = [&](const ir::Stmt& s) { assumes_ |= s.op == ir::StmtOp::assume; };
    for (const ir::Rule& rule : program.rules) walker.block(rule.body);
    for (const ir::Function& function : program.functions) walker.block(function.body);
    for (const ir::Property& property : program.properties)
      assumes_ |= property.kind == ir::Property::Kind::assumption;
  }

  // What differs first; empty: nothing.
  std::string run(uint64_t most) {
    // The interpreter evaluates each guard in the state that it is given.
    if (guards_change_) return "";
    out_.reset();
    model_.initial(out_);
    meet_all();
    for (; !waiting_.empty() && states_ < most; ++states_) {
      const std::vector<uint8_t> state = std::move(waiting_.front());
      waiting_.pop_front();
      out_.reset();
      model_.expand(state.data(), 1, out_);
      if (std::string what = compare(state.data()); !what.empty())
        return fmt::format("state {}: {}", states_ + 1, what);
      meet_all();
    }
    return "";
  }
  uint64_t states() const { return states_; }
  uint64_t guards() const { return guards_; }

 private:
  void meet_all() {
    for (uint64_t i = 0; i < out_.count; ++i) {
      std::vector<uint8_t> state(out_.successor(i), out_.successor(i) + out_.state_bytes);
      if (!met_.insert(state).second) continue;
      state.reserve(state.size() + 16);
      waiting_.push_back(std::move(state));
    }
  }

  std::string compare(const uint8_t* state) {
    std::set<uint32_t> fired(out_.rules.begin(), out_.rules.begin() + static_cast<ptrdiff_t>(out_.count));
    std::set<uint32_t> failed, unclear;
    bool properties_hold = true;
    for (const Failure& failure : out_.failures) {
      if (failure.kind == Failure::Kind::property || failure.evaluated != kNoProperty)
        properties_hold = false;
      if (failure.rule != kNoRule) (failure.in_guard ? unclear : failed).insert(failure.rule);
    }
    for (uint64_t rule = 0; rule < program_.rules.size(); ++rule)
      for (uint64_t i = 0; i < model_.info().rules[rule].instances; ++i)
        if (std::string what = compare_rule(rule, i, state, fired, failed, unclear); !what.empty())
          return what;
    return compare_properties(state, properties_hold);
  }

  std::string compare_rule(uint64_t rule, uint64_t i, const uint8_t* state, const std::set<uint32_t>& fired,
                           const std::set<uint32_t>& failed, const std::set<uint32_t>& unclear) {
    ++guards_;
    const auto instance = static_cast<uint32_t>(index_.first(rule) + i);
    const Result<bool> enabled = interpreter_.enabled(program_.rules[rule], i, state);
    const bool fires = fired.count(instance) != 0 || failed.count(instance) != 0;
    const std::string name = model_.rule_name(instance).text();
    if (!enabled.ok()) {
      // A failure of a guard ends the call; where an error state exists, it is a step there.
      if (unclear.count(instance) != 0 || fires || !out_.failures.empty() || program_.error_state) return "";
      return fmt::format("{}: only the interpreter fails: {}", name, enabled.status().message());
    }
    if (*enabled == fires) return "";
    if (fires) return fmt::format("{} fires, and its guard is false for the interpreter", name);
    // Assumptions drop successors; other rules may go first; after a failure the call may have ended.
    if (goes_first_ || assumes_ || !out_.failures.empty() || unclear.count(instance) != 0) return "";
    return fmt::format("{} does not fire, and its guard holds for the interpreter", name);
  }

  std::string compare_properties(const uint8_t* state, bool all_hold) {
    for (const ir::Property& p : program_.properties) {
      const bool is_checked =
          p.kind == ir::Property::Kind::invariant || p.kind == ir::Property::Kind::assertion;
      if (!is_checked || p.condition == nullptr || !p.bindings.empty()) continue;
      const Result<bool> holds = interpreter_.holds(*p.condition, p.locals, state);
      if (all_hold && (!holds.ok() || !*holds))
        return fmt::format("the property {} fails for the interpreter alone", p.name);
    }
    return "";
  }

  const ir::Program& program_;
  const Model& model_;
  const ir::Interpreter interpreter_;
  const RuleIndex index_;
  Expansion out_;
  bool goes_first_ = false, guards_change_ = false, assumes_ = false;
  std::deque<std::vector<uint8_t>> waiting_;
  std::set<std::vector<uint8_t>> met_;
  uint64_t states_ = 0, guards_ = 0;
};

bool agrees(const std::string& path, uint64_t states) {
  Result<ir::Program> program = compile_file(path, {});
  Result<ir::Program> again = compile_file(path, {});
  if (!program.ok() || !again.ok()) {
    fmt::print("{}: not read\n", path);
    return true;
  }
  const Result<std::unique_ptr<Model>> model = native::load(std::move(*again), {});
  if (!model.ok()) {
    fmt::print("{}: {}\n", path, model.status().message());
    return false;
  }
  Comparison comparison(*program, **model);
  const std::string what = comparison.run(states);
  if (!what.empty()) fmt::print("{}: WRONG: {}\n", path, what);
  fmt::print("{}: {} states, {} guards\n", path, comparison.states(), comparison.guards());
  return what.empty();
}

int run(int count, char** words) {
  uint64_t states = 500, wrong = 0;
  for (int i = 1; i < count; ++i) {
    if (std::string(words[i]) == "--states" && i + 1 < count)
      states = std::strtoull(words[++i], nullptr, 10);
    else
      wrong += agrees(words[i], states) ? 0 : 1;
  }
  fmt::print("{} wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace strata

int main(int count, char** words) { return strata::run(count, words); }
