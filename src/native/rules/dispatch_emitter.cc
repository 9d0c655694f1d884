#include "native/rules/dispatch_emitter.h"

#include <fmt/format.h>

#include "native/analysis/local_intervals.h"
#include "native/analysis/uses.h"
#include "native/code/expression_emitter.h"

namespace strata::native {

void DispatchEmitter::emit() {
  for (size_t i = 0; i < table_.dispatches().size(); ++i) dispatch(table_.dispatches()[i], i);
}

// For each raw code of the place, the calls of the rules that are worth trying.
std::map<uint64_t, std::string> DispatchEmitter::calls_by_code(const Dispatch& dispatch) const {
  const ir::Rule& first = program_.rules[dispatch.rules[0].rule];
  const ir::ScalarType& type = types_.scalar(dispatch.place->type);
  const ir::Segment& segment = type.segments[0];
  const std::string given =
      dispatch.by_parameter ? fmt::format(", l{}", first.bindings[0].local) : std::string();
  std::map<uint64_t, std::string> calls;
  std::string all;
  for (const DispatchedRule& entry : dispatch.rules) {
    const std::string call = fmt::format("rule{}(ctx{}); ", entry.rule, given);
    all += call;
    for (const int64_t value : entry.values)
      if (value >= segment.lo && value <= segment.hi)
        calls[static_cast<uint64_t>(value) - static_cast<uint64_t>(segment.lo) + (type.optional ? 1 : 0)] +=
            call;
  }
  // An undefined value is an error of every guard that reads it.
  if (type.optional) calls[0] = all;
  return calls;
}

// for each value of the parameter, if there is one { switch (the place) { case a value: the rules to be tried } }
void DispatchEmitter::dispatch(const Dispatch& dispatch, size_t number) {
  const ir::Rule& first = program_.rules[dispatch.rules[0].rule];
  Scope scope(program_, first.locals);
  ExpressionEmitter expressions(program_, types_, scope, out_);
  out_.text.line(0, fmt::format("[[gnu::noinline]] static void dispatch{}(Context& ctx) {{", number));
  out_.text.line(1, "const State& state = ctx.state;");
  std::string loop;
  if (dispatch.by_parameter)
    loop = expressions.loop_header(first.bindings[0].domain, first.bindings[0].local, {});
  out_.text.line(1, loop + "{");
  out_.text.line(2, fmt::format("switch ({}) {{", expressions.place(*dispatch.place)));
  for (const auto& [code, text] : calls_by_code(dispatch))
    out_.text.line(3, fmt::format("case {}: {}break;", code, text));
  out_.text.line(3, "default: break;");
  out_.text.line(2, "}");
  out_.text.line(1, "}");
  out_.text.line(0, "}");
}

// A rank for each rule: those of a higher one are tried only where none of a lower one fires.
std::vector<std::vector<uint32_t>> DispatchEmitter::ranks() const {
  std::map<std::pair<bool, int64_t>, std::vector<uint32_t>> groups;
  for (uint32_t i = 0; i < program_.rules.size(); ++i)
    groups[{program_.rules[i].otherwise, program_.rules[i].priority}].push_back(i);
  std::vector<std::vector<uint32_t>> ranks;
  for (auto& [key, rules] : groups) ranks.push_back(std::move(rules));
  return ranks;
}

// All guards, which leave their changes in ctx.state; then the enabled rules of the lowest priority number, each in
// that state. load_next relies on ctx.state and ctx.saved being the state before.
void DispatchEmitter::emit_turns() {
  out_.text.line(2, "ctx.begin_guards();");
  out_.text.line(2, "u64 next = 0;");
  for (size_t i = program_.rules.size(); i-- > 0;)
    out_.text.line(2, fmt::format("if (!ctx.failed) guard{}(ctx, next);", i));
  out_.text.line(2, "ctx.end_guards();");
  out_.text.line(2, "if (!ctx.failed) {");
  for (size_t i = program_.rules.size(); i-- > 0;)
    out_.text.line(3, fmt::format("if (ctx.lowest == {}ll) rule{}(ctx);", program_.rules[i].priority, i));
  out_.text.line(2, "}");
  out_.text.line(2, "ctx.end_turn();");
}

void DispatchEmitter::emit_calls() {
  if (has_changing_guards(program_)) return emit_turns();
  int depth = 2;
  for (const std::vector<uint32_t>& rules : ranks()) {
    if (depth > 2) out_.text.line(depth - 1, "if (steps_of(ctx) == 0 && !ctx.failed) {");
    for (const uint32_t rule : rules) emit_call(rule, depth);
    ++depth;
  }
  while (--depth > 2) out_.text.line(depth - 1, "}");
}

void DispatchEmitter::emit_call(uint32_t rule, int depth) {
  const std::optional<size_t> number = table_.number_of(rule);
  if (!number)
    out_.text.line(depth, fmt::format("rule{}(ctx);", rule));
  else if (table_.dispatches()[*number].rules[0].rule == rule)
    out_.text.line(depth, fmt::format("dispatch{}(ctx);", *number));
}

}  // namespace strata::native
