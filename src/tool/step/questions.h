// Questions about a state in the language of the model: the value of an expression, and why a rule is not enabled.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/interpret/interpreter.h"
#include "ir/program.h"
#include "model/model.h"
#include "model/value.h"
#include "options/options.h"
#include "report/shown/shown_expression.h"

namespace strata {

class Questions {
 public:
  static Result<Questions> about(const Options& options);
  // A shared object has no language of its own: expressions about it are over the values that `model` shows
  // (report/shown/shown_expression.h). `model` must outlive this.
  void show_values_of(const Model& model) { model_ = &model; }

  // Reads an expression; a mistake in it is an error that shows it.
  Status understand(const std::string& expression);
  Result<Value> evaluate(const std::string& expression, const uint8_t* state);
  // REQUIRES: the expression is a condition.
  Result<bool> holds(const std::string& expression, const uint8_t* state);

  // Null: a shared object.
  const ir::Program* program() const { return program_.get(); }
  std::vector<ir::GuardPart> guard(uint64_t rule, uint64_t instance, const uint8_t* state) const;

 private:
  explicit Questions(const Options& options) : options_(options) {}
  Result<const ir::TypedValue*> typed(const std::string& expression);
  Result<ShownExpression> shown(const std::string& expression) const;

  Options options_;
  std::unique_ptr<ir::Program> program_;
  const Model* model_ = nullptr;
  // The program once more for each expression, whose types are its own.
  std::map<std::string, std::unique_ptr<ir::Program>> asked_;
};

}  // namespace strata
