// Operators on scalars and the equality of aggregates. Checks for overflow that the intervals of the operands
// prove to be unnecessary are left out.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "native/code/code_emitter.h"
#include "native/code/expression_context.h"

namespace strata::native {

class ExpressionEmitter;

class OperatorEmitter {
 public:
  OperatorEmitter(const ExpressionContext& context, CodeEmitter& codes, ExpressionEmitter& expressions)
      : context_(context), codes_(codes), expressions_(expressions) {}

  // The expression is one of: !, - and ~; arithmetic; comparisons; &&, ||, implication; a condition; a test for a type.
  std::string emit(const ir::Expr& e);
  // ExpressionEmitter::mark() and evaluate_whole().
  void mark(const ir::Expr& implication, std::string action) { marks_[&implication] = std::move(action); }
  void evaluate_whole(const ir::Expr& e) { whole_ = &e; }

 private:
  std::string in_order(const ir::Expr& a, const ir::Expr& b, const std::string& form);
  std::string arithmetic(const ir::Expr& e);
  std::string unary(const ir::Expr& e);
  std::string comparison(const ir::Expr& e);
  std::string equality(const ir::Expr& e);
  std::string code_and_value(const ir::Expr& code, const ir::Expr& value, const char* op);
  std::string aggregates_equal(const ir::Expr& e);
  std::string in_type(const ir::Expr& e);
  std::string chain(const ir::Expr& e, const char* op);
  std::string whole(const ir::Expr& e, const char* op);
  static std::vector<const ir::Expr*> operands(const ir::Expr& e);
  std::string marked(const ir::Expr& e) const;
  uint32_t site(Site::Kind kind, const ir::Expr& e);

  const ExpressionContext& context_;
  CodeEmitter& codes_;
  ExpressionEmitter& expressions_;
  const ir::Expr* whole_ = nullptr;
  std::map<const ir::Expr*, std::string> marks_;
};

}  // namespace strata::native
