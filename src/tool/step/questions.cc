#include "tool/step/questions.h"

#include <fmt/format.h>

#include "check/load_model.h"

namespace strata {

Result<Questions> Questions::about(const Options& options) {
  Questions questions(options);
  if (is_object(options)) return questions;
  Result<ir::Program> program = read_program(options);
  if (!program.ok()) return program.status();
  questions.program_ = std::make_unique<ir::Program>(std::move(*program));
  return questions;
}

Result<const ir::TypedValue*> Questions::typed(const std::string& expression) {
  std::unique_ptr<ir::Program>& program = asked_[expression];
  if (program == nullptr) {
    Options options = options_;
    options.values = {expression};
    Result<ir::Program> read = read_program(options);
    if (!read.ok()) {
      asked_.erase(expression);
      return read.status();
    }
    program = std::make_unique<ir::Program>(std::move(*read));
  }
  return &program->typed_values.front();
}

Result<ShownExpression> Questions::shown(const std::string& expression) const {
  std::vector<std::string> variables;
  for (const VariableInfo& variable : model_->info().variables) variables.push_back(variable.name);
  return ShownExpression::read(expression, variables);
}

Status Questions::understand(const std::string& expression) {
  if (program_ == nullptr) {
    const Result<ShownExpression> read = shown(expression);
    return read.ok() ? Status() : read.status();
  }
  const Result<const ir::TypedValue*> found = typed(expression);
  return found.ok() ? Status() : found.status();
}

Result<Value> Questions::evaluate(const std::string& expression, const uint8_t* state) {
  if (program_ == nullptr) {
    const Result<ShownExpression> read = shown(expression);
    return read.ok() ? read->evaluate(model_->describe(state)) : read.status();
  }
  const Result<const ir::TypedValue*> found = typed(expression);
  if (!found.ok()) return found.status();
  return ir::Interpreter(*asked_[expression]).evaluate(*(*found)->value, (*found)->locals, state);
}

Result<bool> Questions::holds(const std::string& expression, const uint8_t* state) {
  const Result<Value> value = evaluate(expression, state);
  if (!value.ok()) return value.status();
  // A condition of DVE is a number.
  if (value->kind != Value::Kind::boolean && value->kind != Value::Kind::integer)
    return Status::usage(fmt::format("'{}' is not a condition", expression));
  return value->number != 0;
}

std::vector<ir::GuardPart> Questions::guard(uint64_t rule, uint64_t instance, const uint8_t* state) const {
  return ir::Interpreter(*program_).guard(program_->rules[rule], instance, state);
}

}  // namespace strata
