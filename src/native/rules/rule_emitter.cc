#include "native/rules/rule_emitter.h"

#include <fmt/format.h>

#include <vector>

#include "ir/layout.h"
#include "ir/nodes.h"
#include "ir/walker.h"
#include "native/analysis/uses.h"
#include "native/rules/instance_loops.h"
#include "native/rules/instance_order.h"
#include "native/rules/rule_body.h"

namespace strata::native {

using ir::Binding;

void RuleEmitter::declare_rules() {
  for (uint32_t i = 0; i < program_.rules.size(); ++i) {
    out_.text.line(0, head(i) + ";");
    if (in_turn_) out_.text.line(0, guard_head(i) + ";");
  }
}

std::string RuleEmitter::head(uint32_t id) const {
  const bool given = dispatches_.gives_parameter(id);
  return fmt::format("[[gnu::noinline]] STRATA_LOCAL void rule{}(Context& ctx{})", id,
                     given ? fmt::format(", const i64 l{}", program_.rules[id].bindings[0].local) : "");
}

std::string RuleEmitter::guard_head(uint32_t id) {
  return fmt::format("[[gnu::noinline]] STRATA_LOCAL void guard{}(Context& ctx, u64& next)", id);
}

void RuleEmitter::emit_rules() {
  uint64_t base = 0;
  for (uint32_t i = 0; i < program_.rules.size(); ++i) {
    const size_t begin = out_.text.size();
    if (in_turn_) {
      guard(i, base);
      rule_in_turn(i, base);
    } else {
      rule(i, base);
    }
    out_.text.end_unit(begin);
    base += ir::instance_count(program_, program_.rules[i].bindings);
  }
}

void RuleEmitter::emit_starts() {
  uint64_t base = 0;
  for (uint32_t i = 0; i < program_.starts.size(); ++i) {
    start(i, base);
    base += ir::instance_count(program_, program_.starts[i].bindings);
  }
}

// ---- The statements

std::string RuleEmitter::body_call(const ir::Rule& rule, const std::string& name, bool flag) const {
  return fmt::format("if (!{}(ctx.state{})) {{ ctx.undo(); {}continue; }}", name, bound_arguments(rule),
                     flag ? "ctx.firing = false; " : "");
}

// No statement leaves the block before its end.
static bool runs_through(const ir::Block& block) {
  for (const ir::Stmt& s : block) {
    if (s.op == ir::StmtOp::return_ || s.op == ir::StmtOp::assume || !runs_through(s.body)) return false;
    for (const ir::Branch& branch : s.branches)
      if (!runs_through(branch.block)) return false;
  }
  return true;
}

// A function may be called before the rule fires.
static bool calls_in_guard(const ir::Rule& rule) {
  if (rule.guard && has_call(*rule.guard)) return true;
  for (const Binding& b : rule.bindings)
    if ((b.value && has_call(*b.value)) || (b.place && has_call(*b.place))) return true;
  return false;
}

// ---- Rules

// Where nothing can fail, nothing is caught: that is a third of the code of a small rule.
void RuleEmitter::rule(uint32_t id, uint64_t base) {
  const size_t sites = out_.sites.size(), begin = out_.text.size();
  rule(id, base, true);
  if (out_.sites.size() != sites || !program_.functions.empty()) return;
  out_.text.cut(begin);
  rule(id, base, false);
}

void RuleEmitter::rule(uint32_t id, uint64_t base, bool catching) {
  const ir::Rule& rule = program_.rules[id];
  const size_t given = dispatches_.gives_parameter(id) ? 1 : 0;
  Callable callable(program_, types_, out_, rule.locals);
  InstanceLoops loops(program_, rule.bindings, callable, out_.text);
  const InstanceNumbers numbers(program_, types_, rule.bindings, base);
  // The loops are emitted first: they fix the intervals of the parameters that the body relies on.
  const size_t begin = out_.text.size();
  out_.text.line(0, fmt::format("{} {{  // {}", head(id), as_comment(rule.name)));
  out_.text.line(1, "State& state = ctx.state;");
  const size_t guard_site = out_.sites.size();
  loops.open(ir::conjuncts(rule.guard.get()), catching, given);
  const size_t guard_sites = out_.sites.size() - guard_site;
  // Whether the rule was firing when it failed: by the place, unless that may be in a function.
  const bool flag = catching && !program_.error_state && calls_in_guard(rule);
  const std::string name = fmt::format("effect{}", id);
  const bool in_place = firing_.shared() && runs_through(rule.body);
  if (flag) out_.text.line(3, "ctx.firing = true;");
  const bool puts = may_put(program_, rule.body);
  if (puts) out_.text.line(3, fmt::format("ctx.call->putting = {};", numbers.number()));
  if (in_place) {
    callable.statements.variables(3);
    callable.statements.block(rule.body, 3);
  } else {
    out_.text.line(3, body_call(rule, name, flag));
  }
  if (puts) out_.text.line(3, "ctx.call->putting = kStrataNone;");
  firing_.emit(id, numbers.number());
  if (flag) out_.text.line(3, "ctx.firing = false;");
  const std::string firing = flag ? "ctx.firing"
                             : guard_sites == 0
                                 ? "true"
                                 : fmt::format("fault.site - {}u >= {}u", guard_site, guard_sites);
  if (catching)
    loops.close(numbers, program_.error_state ? fmt::format("if (to_error_state(ctx, {{}}, fault)) {}",
                                                            count_firing(program_, id))
                                              : fmt::format("rule_failed(ctx, {{}}, fault, {});", firing));
  else
    loops.close();
  out_.text.line(0, "}");
  if (in_place) return;
  const std::string text = out_.text.cut(begin);
  emit_body(rule, name, types_, callable, out_);
  out_.text.append(text);
}

// ---- Rules whose guards change the state (native/rules/instance_order.h)

// The aliases of the rule, and the tests whether slots are free, in which case `free` follows.
void RuleEmitter::emit_bound(const ir::Rule& rule, Callable& callable,
                             const std::function<bool(const Binding&)>& wanted, const std::string& free) {
  for (const Binding& b : rule.bindings) {
    if (b.kind == Binding::Kind::parameter || !wanted(b)) continue;
    out_.text.line(2, b.kind == Binding::Kind::choose
                          ? fmt::format("if ({}) {}", slot_is_free(b, callable), free)
                          : alias_declaration(b, callable));
  }
}

void RuleEmitter::guard(uint32_t id, uint64_t base) {
  const ir::Rule& rule = program_.rules[id];
  Callable callable(program_, types_, out_, rule.locals);
  const InstanceOrder order(program_, id);
  out_.text.line(0, fmt::format("{} {{  // {}", guard_head(id), as_comment(rule.name)));
  out_.text.line(1, "State& state = ctx.state;");
  out_.text.line(1, fmt::format("while (next < {}ull) {{", order.end()));
  order.emit_parameters("next", types_, callable, out_.text);
  out_.text.line(1, out_.target.begin_attempt());
  const std::string no = fmt::format("{{ next += {}ull; continue; }}", order.block());
  emit_bound(
      rule, callable, [&](const Binding& b) { return order.mentions(b); }, no);
  if (rule.guard != nullptr)
    out_.text.line(2, fmt::format("if (!{}) {}", callable.expressions.expression(*rule.guard), no));
  emit_bound(
      rule, callable, [&](const Binding& b) { return !order.mentions(b); }, "{ ++next; continue; }");
  out_.text.line(2, fmt::format("ctx.enable(next++, {});", literal(rule.priority)));
  const InstanceNumbers numbers(program_, types_, rule.bindings, base);
  out_.text.line(1,
                 out_.target.end_attempt(fmt::format("if ({}) {} return rule_failed(ctx, {}, fault, false);",
                                                     out_.target.is_discarded(), no, numbers.number())));
  out_.text.line(1, "}");
  out_.text.line(0, "}");
}

void RuleEmitter::rule_in_turn(uint32_t id, uint64_t base) {
  const ir::Rule& rule = program_.rules[id];
  Callable callable(program_, types_, out_, rule.locals);
  const InstanceOrder order(program_, id);
  const std::string name = fmt::format("effect{}", id);
  const std::string number = InstanceNumbers(program_, types_, rule.bindings, base).number();
  const size_t begin = out_.text.size();
  out_.text.line(0, fmt::format("{} {{  // {}", head(id), as_comment(rule.name)));
  out_.text.line(1, "State& state = ctx.state;");
  out_.text.line(1, fmt::format("for (u64 k = {}ull; k < {}ull; ++k) {{", order.begin(), order.end()));
  out_.text.line(2, "if (!ctx.is_enabled(k)) continue;");
  order.emit_parameters("k", types_, callable, out_.text);
  out_.text.line(1, out_.target.begin_attempt());
  emit_bound(
      rule, callable, [](const Binding&) { return true; }, "continue;");
  const bool puts = may_put(program_, rule.body);
  if (puts) out_.text.line(3, fmt::format("ctx.call->putting = {};", number));
  out_.text.line(3, body_call(rule, name, false));
  if (puts) out_.text.line(3, "ctx.call->putting = kStrataNone;");
  firing_.emit(id, number);
  out_.text.line(1, out_.target.end_attempt(fmt::format("rule_failed(ctx, {}, fault, true);", number)));
  out_.text.line(1, "}");
  out_.text.line(0, "}");
  const std::string text = out_.text.cut(begin);
  emit_body(rule, name, types_, callable, out_);
  out_.text.append(text);
}

// ---- Start states

void RuleEmitter::start(uint32_t id, uint64_t base) {
  const ir::Rule& rule = program_.starts[id];
  Callable callable(program_, types_, out_, rule.locals);
  InstanceLoops loops(program_, rule.bindings, callable, out_.text);
  const InstanceNumbers numbers(program_, types_, rule.bindings, base);
  const std::string name = fmt::format("start_effect{}", id);
  const size_t begin = out_.text.size();
  out_.text.line(0, fmt::format("[[gnu::noinline, gnu::cold]] static void start{}(Context& ctx) {{  // {}",
                                id, as_comment(rule.name)));
  out_.text.line(1, "State& state = ctx.state;");
  out_.text.line(1, "ctx.begin_start();");
  loops.open({}, true);
  if (may_put(program_, rule.body))
    out_.text.line(3, fmt::format("ctx.call->putting = {};", numbers.number()));
  out_.text.line(3, body_call(rule, name, false));
  append_start(numbers.number());
  loops.close(numbers, "rule_failed(ctx, {}, fault, true);");
  out_.text.line(0, "}");
  const std::string text = out_.text.cut(begin);
  emit_body(rule, name, types_, callable, out_);
  out_.text.append(text);
}

// After the statements of a start state: normalise, check the assumptions, pack, append to the output.
void RuleEmitter::append_start(const std::string& number) {
  for (size_t v = 0; v < program_.state.size() && !out_.form.is_packed(); ++v)
    if (types_.contains_multiset(program_.state[v].type))
      out_.text.line(3, fmt::format("normalise_{}(state.{});", types_.number(program_.state[v].type),
                                    member_name(program_, v)));
  if (has_assumptions(program_)) out_.text.line(3, "if (!assumptions(state)) { ctx.undo(); continue; }");
  out_.text.line(3, fmt::format("u64 words[{}];", layout_.words + 1));
  out_.text.line(3, "pack_all(state, words);");
  out_.text.line(3, "ctx.undo();");
  out_.text.line(3, fmt::format("append_start<{}>(ctx, {}, words);", layout_.bytes, number));
}

}  // namespace strata::native
