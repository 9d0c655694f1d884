#include "ir/interpret/interpreter.h"

#include "ir/dump.h"
#include "ir/interpret/evaluator.h"
#include "ir/layout.h"
#include "ir/nodes.h"

namespace strata::ir {

Bits Interpreter::copy_of(const uint8_t* state) const {
  Bits copy(state, state + (state_bits(program_) + 7) / 8);
  copy.resize(copy.size() + 8);
  return copy;
}

Result<Value> Interpreter::evaluate(const Expr& expression, const std::vector<Local>& locals,
                                    const uint8_t* state) const {
  Bits copy = copy_of(state);
  try {
    return Evaluator(program_, copy, locals).value(expression);
  } catch (const Failed& failed) {
    return Status::model(failed.message);
  }
}

Result<bool> Interpreter::holds(const Expr& condition, const std::vector<Local>& locals,
                                const uint8_t* state) const {
  Bits copy = copy_of(state);
  try {
    return Evaluator(program_, copy, locals).truth(condition);
  } catch (const Failed& failed) {
    return Status::model(failed.message);
  }
}

Result<bool> Interpreter::enabled(const Rule& rule, uint64_t instance, const uint8_t* state) const {
  Bits copy = copy_of(state);
  try {
    Evaluator evaluator(program_, copy, rule.locals);
    return evaluator.bind(rule.bindings, instance) && (rule.guard == nullptr || evaluator.truth(*rule.guard));
  } catch (const Failed& failed) {
    return Status::model(failed.message);
  }
}

FailureCause Interpreter::explain(const Property& property, uint64_t instance, const uint8_t* state) const {
  Bits copy = copy_of(state);
  FailureCause cause;
  try {
    Evaluator evaluator(program_, copy, property.locals);
    if (evaluator.bind(property.bindings, instance)) evaluator.explain(*property.condition, cause);
  } catch (const Failed&) {
    return {};
  }
  return cause;
}

std::vector<GuardPart> Interpreter::guard(const Rule& rule, uint64_t instance, const uint8_t* state) const {
  std::vector<GuardPart> parts;
  for (const Expr* part : conjuncts(rule.guard.get())) {
    GuardPart told{expression_text(program_, rule.locals, *part), std::nullopt, ""};
    Bits copy = copy_of(state);
    try {
      Evaluator evaluator(program_, copy, rule.locals);
      if (!evaluator.bind(rule.bindings, instance)) return {{"the chosen element exists", false, ""}};
      told.holds = evaluator.truth(*part);
    } catch (const Failed& failed) {
      told.failure = failed.message;
    }
    parts.push_back(std::move(told));
  }
  return parts;
}

}  // namespace strata::ir
