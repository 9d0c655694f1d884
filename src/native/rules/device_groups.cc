#include "native/rules/device_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/layout.h"
#include "ir/walker.h"
#include "native/analysis/local_intervals.h"
#include "native/code/expression_emitter.h"
#include "native/rules/instance_loops.h"
#include "native/rules/instance_order.h"

namespace strata::native {

using ir::Binding;
using ir::Expr;

namespace {

// The queues of eight warps, each with room for 31 states that wait and for `most` of each of 32 lanes.
constexpr uint64_t kQueueBytes = 40 << 10, kMostBudget = 8;
// The emitter writes a call once for each value of its parameters, as constants, if these are at most so many calls, of
// at most so much text together.
constexpr uint64_t kConstantText = 192 << 10, kConstantCalls = 32;

}  // namespace

uint64_t group_budget(uint64_t words) {
  const uint64_t states = kQueueBytes / (8 * 8 * words);
  return states <= 31 + 32 ? 1 : std::min(kMostBudget, (states - 31) / 32);
}

DeviceGroups::DeviceGroups(const ir::Program& program, const CppTypes& types, const DispatchTable& table,
                           uint64_t words, bool constant, Output& out)
    : program_(program),
      types_(types),
      budget_(group_budget(words)),
      constant_(constant),
      out_(out),
      given_(program.rules.size()),
      switch_of_(program.rules.size(), -1) {
  for (const Dispatch& dispatch : table.dispatches()) plan(dispatch);
  for (uint32_t i = 0; i < program.rules.size(); ++i)
    while (switch_of_[i] < 0 && inner(i, given_[i]) > budget_) ++given_[i];
}

uint64_t DeviceGroups::size(const Binding& b) const {
  return b.kind == Binding::Kind::choose ? program_.types[b.place->type].multiset()->capacity
                                         : ir::domain_size(program_, b.domain);
}

// How many instances a rule has where its first bindings are given.
uint64_t DeviceGroups::inner(uint32_t rule, size_t given) const {
  uint64_t count = 1;
  const std::vector<Binding>& bindings = program_.rules[rule].bindings;
  for (size_t i = given; i < bindings.size(); ++i)
    if (is_counted(bindings[i])) count *= size(bindings[i]);
  return count;
}

// The most instances of rules for one value of the variable.
uint64_t DeviceGroups::bound(const std::vector<DispatchedRule>& rules, const Dispatch& dispatch) const {
  std::map<int64_t, uint64_t> by_value;
  uint64_t most = 0;
  for (const DispatchedRule& rule : rules)
    for (const int64_t value : rule.values)
      most = std::max(most, by_value[value] += inner(rule.rule, dispatch.by_parameter ? 1 : 0));
  // All rules may fail where the variable is undefined, which is a successor each if failures lead to an error state.
  if (program_.error_state && types_.scalar(dispatch.place->type).optional)
    most = std::max<uint64_t>(most, rules.size());
  return most;
}

void DeviceGroups::plan(const Dispatch& dispatch) {
  std::vector<Switch> parts(1);
  for (const DispatchedRule& rule : dispatch.rules) {
    if (inner(rule.rule, dispatch.by_parameter ? 1 : 0) > budget_) continue;
    parts.back().rules.push_back(rule);
    if (bound(parts.back().rules, dispatch) <= budget_) continue;
    parts.back().rules.pop_back();
    parts.emplace_back();
    parts.back().rules.push_back(rule);
  }
  for (Switch& part : parts) {
    if (part.rules.size() < 2) continue;
    part.dispatch = &dispatch;
    part.most = bound(part.rules, dispatch);
    for (const DispatchedRule& rule : part.rules) {
      switch_of_[rule.rule] = static_cast<int64_t>(switches_.size());
      given_[rule.rule] = dispatch.by_parameter ? 1 : 0;
    }
    switches_.push_back(std::move(part));
  }
}

// ---- Switches

// Whether the first test of a guard reads the variable in a way that is an error where it is undefined.
bool DeviceGroups::fails_where_undefined(const Expr& guard) const {
  const Expr* first = &guard;
  while (first->op == ir::ExprOp::logical_and) first = first->args[0].get();
  bool fails = false;
  ir::Walker walker;
  walker.on_expr = [&](const Expr& e) {
    fails |= e.op == ir::ExprOp::read && e.place->root == ir::Place::Root::state && !e.keep_undefined;
  };
  walker.expr(*first);
  return fails;
}

// The codes of the variable, as labels, and what is called for them.
std::vector<std::pair<std::string, std::string>> DeviceGroups::cases(const Switch& one) const {
  const Dispatch& dispatch = *one.dispatch;
  const ir::ScalarType& type = types_.scalar(dispatch.place->type);
  const ir::Segment& segment = type.segments[0];
  const std::vector<Binding>& named = program_.rules[dispatch.rules[0].rule].bindings;
  const std::string parameter = dispatch.by_parameter ? fmt::format(", l{}", named[0].local) : "";
  std::map<uint64_t, std::string> calls;
  for (const DispatchedRule& entry : one.rules) {
    const std::string call = fmt::format("rule{}(ctx{}); ", entry.rule, parameter);
    for (const int64_t value : entry.values)
      if (value >= segment.lo && value <= segment.hi)
        calls[static_cast<uint64_t>(value) - static_cast<uint64_t>(segment.lo) + (type.optional ? 1 : 0)] +=
            call;
    // No rule fires where the variable is undefined.
    if (!type.optional) continue;
    if (program_.error_state)
      calls[0] += call;
    else if (fails_where_undefined(*program_.rules[entry.rule].guard))
      calls[0] = "ctx.failed = true; ";
  }
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [code, text] : calls) {
    if (result.empty() || result.back().second != text) result.push_back({"", text});
    result.back().first += fmt::format("case {}: ", code);
  }
  return result;
}

void DeviceGroups::emit_switch(size_t number) const {
  const Switch& one = switches_[number];
  const ir::Rule& named = program_.rules[one.dispatch->rules[0].rule];
  Scope scope(program_, named.locals);
  ExpressionEmitter expressions(program_, types_, scope, out_);
  std::string parameter;
  if (one.dispatch->by_parameter) {
    const Binding& b = named.bindings[0];
    scope.bind(b.local, scope.interval(b.domain));
    parameter = fmt::format(", const i64 l{}", b.local);
  }
  out_.text.line(0,
                 fmt::format("{}void switch{}(Context& ctx{}) {{", out_.target.inlined(), number, parameter));
  out_.text.line(1, "const State& state = ctx.state;");
  out_.text.line(1, fmt::format("switch ({}) {{", expressions.place(*one.dispatch->place)));
  for (const auto& [labels, calls] : cases(one)) out_.text.line(2, fmt::format("{}{}break;", labels, calls));
  out_.text.line(2, "default: break;");
  out_.text.line(1, "}");
  out_.text.line(0, "}");
}

// ---- Groups

std::vector<std::vector<uint32_t>> DeviceGroups::ranks() const {
  std::map<std::pair<bool, int64_t>, std::vector<uint32_t>> by_rank;
  for (uint32_t i = 0; i < program_.rules.size(); ++i)
    by_rank[{program_.rules[i].otherwise, program_.rules[i].priority}].push_back(i);
  std::vector<std::vector<uint32_t>> ranks;
  for (auto& [key, rules] : by_rank) ranks.push_back(std::move(rules));
  return ranks;
}

void DeviceGroups::end_group() {
  if (open_.empty()) return;
  cases_ += fmt::format("    case {}: {}{}{}break;\n", groups_++, begin_rank_, rank_test_, open_);
  begin_rank_.clear();
  most_ = std::max(most_, static_cast<uint32_t>(open_most_));
  open_.clear();
  open_most_ = 0;
}

void DeviceGroups::add_constant(const std::string& call, uint64_t most) {
  if (open_most_ + most > budget_) end_group();
  open_ += call;
  open_most_ += most;
}

// Groups of as many values as fit; the last binding's change fastest.
void DeviceGroups::add_range(const std::string& function, const std::vector<const Binding*>& bindings,
                             uint64_t tuples, uint64_t most) {
  end_group();
  if (!begin_rank_.empty()) cases_ += fmt::format("    case {}: {}break;\n", groups_++, begin_rank_);
  begin_rank_.clear();
  const uint64_t each = std::max<uint64_t>(1, budget_ / most), groups = (tuples + each - 1) / each;
  std::vector<std::string> values;
  std::string digits;
  for (size_t i = bindings.size(); i-- > 0;) {
    values.insert(values.begin(), value_of_digit(*bindings[i], fmt::format("digit{}", i), types_));
    digits += fmt::format("const i64 digit{0} = (i64)(rest % {1}); rest /= {1}; ", i, size(*bindings[i]));
  }
  ranges_ += fmt::format("  if (group - {}u < {}u{})\n", groups_, groups,
                         rank_test_.empty() ? "" : " && ctx.rank_is_on");
  ranges_ += fmt::format(
      "    for (u32 k = (group - {0}) * {1}; k < {2} && k < (group - {0} + 1) * {1}; ++k) {{\n"
      "      u32 rest = k; {3}{4}\n    }}\n",
      groups_, each, tuples, digits, call(function, bindings, values));
  groups_ += static_cast<uint32_t>(groups);
  most_ = std::max(most_, static_cast<uint32_t>(std::min(each, tuples) * most));
}

std::string DeviceGroups::call(const std::string& function, const std::vector<const Binding*>& bindings,
                               const std::vector<std::string>& values) const {
  std::string text = function + "(ctx";
  for (size_t i = 0; i < bindings.size(); ++i) text += ", " + values[i];
  return text + "); ";
}

void DeviceGroups::add(const std::string& function, const std::vector<const Binding*>& bindings,
                       uint64_t most, size_t text_size) {
  uint64_t tuples = 1;
  for (const Binding* b : bindings) tuples *= size(*b);
  if (tuples == 0 || most == 0) return;
  if (tuples > 1 && (!constant_ || tuples > kConstantCalls || tuples * text_size > kConstantText))
    return add_range(function, bindings, tuples, most);
  for (uint64_t k = 0; k < tuples; ++k) {
    std::vector<std::string> values(bindings.size());
    uint64_t rest = k;
    for (size_t i = bindings.size(); i-- > 0; rest /= size(*bindings[i])) {
      const uint64_t digit = rest % size(*bindings[i]);
      values[i] = bindings[i]->kind == Binding::Kind::choose
                      ? literal(static_cast<int64_t>(digit))
                      : literal(ir::domain_value(program_, bindings[i]->domain, digit));
    }
    add_constant(call(function, bindings, values), most);
  }
}

void DeviceGroups::emit(const DeviceRules& rules) {
  for (size_t i = 0; i < switches_.size(); ++i) emit_switch(i);
  bool first_rank = true;
  for (const std::vector<uint32_t>& rank : ranks()) {
    end_group();
    if (!first_rank) {
      begin_rank_ = "ctx.begin_rank(); ";
      rank_test_ = "if (!ctx.rank_is_on) break; ";
    }
    first_rank = false;
    for (const uint32_t rule : rank) {
      std::vector<const Binding*> given;
      for (size_t i = 0; i < given_[rule]; ++i)
        if (is_counted(program_.rules[rule].bindings[i])) given.push_back(&program_.rules[rule].bindings[i]);
      if (switch_of_[rule] < 0) {
        add(fmt::format("rule{}", rule), given, inner(rule, given_[rule]), rules.size(rule));
        continue;
      }
      const Switch& one = switches_[static_cast<size_t>(switch_of_[rule])];
      if (one.rules[0].rule != rule) continue;
      size_t text_size = 0;
      for (const DispatchedRule& part : one.rules) text_size += rules.size(part.rule);
      add(fmt::format("switch{}", switch_of_[rule]), given, one.most, text_size);
    }
  }
  end_group();
  out_.text.line(0, "STRATA_INLINE void fire_group(Context& ctx, const u32 group) {");
  out_.text.line(1, "switch (group) {");
  out_.text.append(cases_);
  out_.text.append("    default: break;\n  }\n" + ranges_ + "}\n");
}

}  // namespace strata::native
