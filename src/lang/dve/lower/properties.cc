#include <fmt/format.h>

#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {

// Lowers an assertion: it must hold in every state of the system in which the process is in the assertion's state.
void lower_assertions(Context& context) {
  for (const ProcessInfo& process : context.processes) {
    context.process = &process;
    for (const Assertion& assertion : process.tree->assertions) {
      const std::optional<uint32_t> state = find_state(context, process, assertion.state);
      ir::ExprPtr condition = lower_condition(context, *assertion.condition);
      if (!state || condition == nullptr) continue;
      ir::Property property;
      property.kind = ir::Property::Kind::assertion;
      property.name = fmt::format("{}.{}", process.name, assertion.state.text);
      property.position = assertion.state.position;
      property.condition =
          make_binary(ir::ExprOp::implies, ir::kBoolean,
                      in_state(context, process, *state, assertion.state.position), std::move(condition));
      context.program.properties.push_back(std::move(property));
    }
    context.process = nullptr;
  }
}

void add_proposition(Context& context, const NamedExpression& named) {
  ir::ExprPtr condition = lower_condition(context, *named.value);
  if (condition != nullptr) context.program.propositions.push_back({named.name.text, std::move(condition)});
}

void lower_accepting(Context& context) {
  if (!context.property) return;
  const ProcessInfo& process = context.processes[*context.property];
  ir::ExprPtr accepting = ir::make_constant(0, ir::kBoolean, process.tree->name.position);
  for (uint32_t state = 0; state < process.accepting.size(); ++state) {
    if (!process.accepting[state]) continue;
    accepting = make_binary(ir::ExprOp::logical_or, ir::kBoolean, std::move(accepting),
                            in_state(context, process, state, process.tree->name.position));
  }
  context.program.accepting = std::move(accepting);
}

}  // namespace strata::dve
