// Evaluates expressions and guards in one state without compiling them: for what users ask about a state by hand. A
// search evaluates compiled code (native/), some ten thousand times as fast; tests compare the two.
//
// An interpreter has the meaning that program.h defines, with one exception: an element that is removed from a multiset
// leaves no gap, so the numbers of the elements behind it change at once instead of at the end of the rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "ir/program.h"
#include "model/cause.h"
#include "model/value.h"

namespace strata::ir {

// A part of a guard, one operand of its conjunction.
struct GuardPart {
  std::string text;
  // none: it cannot be evaluated, and `failure` says why
  std::optional<bool> holds;
  std::string failure;
};

class Interpreter {
 public:
  // `program` must outlive the interpreter.
  explicit Interpreter(const Program& program) : program_(program) {}

  // The value of a scalar or an aggregate; an expression that is undefined has the value "undefined".
  Result<Value> evaluate(const Expr& expression, const std::vector<Local>& locals,
                         const uint8_t* state) const;
  Result<bool> holds(const Expr& condition, const std::vector<Local>& locals, const uint8_t* state) const;

  // Whether a rule instance is enabled: true where its guard holds. Its number counts the instances of this rule.
  Result<bool> enabled(const Rule& rule, uint64_t instance, const uint8_t* state) const;
  // All parts of the guard of a rule instance, each evaluated by itself. A rule without a guard has none. Where an
  // element that the instance chooses does not exist, that is its only part.
  std::vector<GuardPart> guard(const Rule& rule, uint64_t instance, const uint8_t* state) const;
  // Why a property has its value in a state; its instance is one of those of its bindings. Empty if the condition
  // cannot be evaluated.
  FailureCause explain(const Property& property, uint64_t instance, const uint8_t* state) const;

 private:
  std::vector<uint8_t> copy_of(const uint8_t* state) const;

  const Program& program_;
};

}  // namespace strata::ir
