// Expressions. A scalar expression becomes an i64 (or bool), an aggregate one a C++ struct. An expression
// writes no text by itself: the text is handed back. Places, codes and operators have emitters of their own,
// which come back here for what they are made of; here are loops and calls.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/source.h"
#include "ir/program.h"
#include "native/code/code_emitter.h"
#include "native/code/expression_context.h"
#include "native/code/operator_emitter.h"
#include "native/code/place_emitter.h"

namespace strata::native {

class ExpressionEmitter {
 public:
  ExpressionEmitter(const ir::Program& program, const CppTypes& types, Scope& scope, Output& out)
      : context_{program, types, scope, out} {}
  ExpressionEmitter(const ExpressionEmitter&) = delete;
  ExpressionEmitter& operator=(const ExpressionEmitter&) = delete;

  std::string expression(const ir::Expr& e);
  std::string place(const ir::Place& p) { return places_.place(p); }
  // The raw code of a scalar in a place.
  std::string code(const ir::Place& p) { return places_.code(p); }
  // The statement that gives a scalar this raw code.
  std::string assign(const ir::Place& p, const std::string& code) { return places_.assign(p, code); }
  std::string call(const ir::Expr& e);
  // A scalar that may be undefined, where the program allows it to be: then it is kUndefined.
  std::string optional(const ir::Expr& e) { return codes_.optional(e); }
  bool may_be_undefined(const ir::Expr& e) const { return codes_.may_be_undefined(e); }
  // The raw code of `value` as a value of `type`, checked where it may lie outside; an undefined variable
  // stays so where the program allows it. `target` is what it is assigned to, for messages.
  std::string encode(ir::TypeId type, const ir::Expr& value, const std::string& target,
                     SourcePosition position) {
    return codes_.encode(type, value, target, position);
  }
  // An implication, or a disjunction that begins with a negation, is to do this where its left side holds.
  void mark(const ir::Expr& implication, std::string action) {
    operators_.mark(implication, std::move(action));
  }
  // A conjunction or disjunction of which all operands are to be evaluated, also where the first ones decide it.
  void evaluate_whole(const ir::Expr& e) { operators_.evaluate_whole(e); }
  // The head of a loop that declares the iterator; the body follows as one statement.
  std::string loop_header(const ir::Domain& domain, uint32_t local, SourcePosition position);
  // The declaration of a local as a name of the value.
  std::string named_value(uint32_t local, const ir::Expr& value);

 private:
  std::string loop_by_steps(const ir::Domain& domain, uint32_t local, SourcePosition position);
  std::string quantified(const ir::Expr& e);
  std::string count(const ir::Expr& e);
  std::string defined_call(const ir::Expr& e);
  std::string argument(const ir::Argument& a, const ir::Local& parameter, SourcePosition position);

  const ExpressionContext context_;
  PlaceEmitter places_{context_, *this};
  CodeEmitter codes_{context_, *this};
  OperatorEmitter operators_{context_, codes_, *this};
};

}  // namespace strata::native
