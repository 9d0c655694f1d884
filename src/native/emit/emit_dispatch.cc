// Trying the rules of a state: in their order, but rules that belong to a Dispatch together, at the place of the
// first. So the order of successors is not that of the rules; searches do not depend on it.
#include "native/emit/emitter.h"

namespace strata::native {

// for each value of the parameter, if there is one { switch (the place) { case a value: the rules to be tried } }
void Emitter::emit_dispatch(const Dispatch& dispatch, size_t number) {
  const ir::Rule& first = program_.rules[dispatch.rules[0].rule];
  const ir::ScalarType& type = types_.scalar(dispatch.place->type);
  std::map<uint64_t, std::string> calls;  // by raw code
  std::string all;
  for (const DispatchedRule& entry : dispatch.rules) {
    const std::string given =
        dispatch.by_parameter ? fmt::format(", l{}", first.bindings[0].local) : std::string();
    const std::string call = fmt::format("rule{}(x{}); ", entry.rule, given);
    all += call;
    const ir::Segment& segment = type.segments[0];
    for (const int64_t value : entry.values)
      if (value >= segment.lo && value <= segment.hi)
        calls[static_cast<uint64_t>(value) - static_cast<uint64_t>(segment.lo) + (type.optional ? 1 : 0)] +=
            call;
  }
  // An undefined value is an error of every guard that reads it.
  if (type.optional) calls[0] = all;

  enter(first.locals);
  line(0, fmt::format("[[gnu::noinline]] static void dispatch{}(Context& x) {{", number));
  line(1, "const State& w = x.w;");
  line(1,
       dispatch.by_parameter
           ? callable_->expressions.loop_header(first.bindings[0].domain, first.bindings[0].local, {}) + "{"
           : "{");
  line(2, fmt::format("switch ({}) {{", callable_->expressions.place(*dispatch.place)));
  for (const auto& [code, text] : calls) line(3, fmt::format("case {}: {}break;", code, text));
  line(3, "default: break;");
  line(2, "}");
  line(1, "}");
  line(0, "}");
}

void Emitter::emit_rule_calls() {
  bool otherwise = false;
  for (uint32_t i = 0; i < program_.rules.size(); ++i) {
    otherwise |= program_.rules[i].otherwise;
    if (program_.rules[i].otherwise) continue;
    if (!dispatched(i)) {
      line(2, fmt::format("rule{}(x);", i));
    } else if (dispatches_[dispatch_of_[i]].rules[0].rule == i) {
      line(2, fmt::format("dispatch{}(x);", dispatch_of_[i]));
    }
  }
  if (!otherwise) return;
  line(2, "if (x.transitions == before) {");
  for (uint32_t i = 0; i < program_.rules.size(); ++i)
    if (program_.rules[i].otherwise) line(3, fmt::format("rule{}(x);", i));
  line(2, "}");
}

}  // namespace strata::native
