// Expressions. A scalar expression becomes an i64 (or bool), an aggregate one a C++ struct. Checks that the
// intervals of the scope prove to be unnecessary are left out. An expression writes no text by itself: it is
// handed back.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/source.h"
#include "ir/program.h"
#include "native/analysis/local_intervals.h"
#include "native/code/cpp_types.h"
#include "native/code/output.h"

namespace strata::native {

class ExpressionEmitter {
 public:
  ExpressionEmitter(const ir::Program& program, const CppTypes& types, Scope& scope, FailureSites& sites,
                    Names& names)
      : program_(program), types_(types), scope_(scope), sites_(sites), names_(names) {}

  std::string expression(const ir::Expr& e);
  // An implication, or a disjunction that begins with a negation, is to do this where its left side holds.
  void mark(const ir::Expr& implication, std::string action) { marks_[&implication] = std::move(action); }
  // A conjunction or disjunction of which all operands are to be evaluated, also where the first ones decide it.
  void evaluate_whole(const ir::Expr& e) { whole_ = &e; }
  // A scalar that may be undefined, where the program allows it to be: then it is kUndefined.
  std::string optional(const ir::Expr& e);
  bool may_be_undefined(const ir::Expr& e) const;
  std::string place(const ir::Place& p);
  // The raw code of `value` as a value of `type`, checked where it may lie outside; an undefined variable
  // stays so where the program allows it. `target` is what it is assigned to, for messages.
  std::string encode(ir::TypeId type, const ir::Expr& value, const std::string& target,
                     SourcePosition position);
  // The head of a loop that declares the iterator; the body follows as one statement.
  std::string loop_header(const ir::Domain& domain, uint32_t local, SourcePosition position);
  // The declaration of a local as a name of the value.
  std::string named_value(uint32_t local, const ir::Expr& value);

 private:
  std::string scalar_read(const ir::Place& p);
  std::string select(std::string base, ir::TypeId& type, const ir::Selector& selector, const ir::Place& p);
  std::string array_position(const ir::Expr& index, ir::TypeId index_type, const ir::Place& p);
  std::string is_undefined(const ir::Place& p);
  bool is_raw(const ir::Expr& e) const;
  std::string encode_defined(ir::TypeId type, const std::string& text, const ir::Expr& value,
                             const std::string& target, SourcePosition position);
  std::string decode_defined(ir::TypeId type, const std::string& raw) const;

  std::string in_order(const ir::Expr& a, const ir::Expr& b, const std::string& form);
  std::string arithmetic(const ir::Expr& e);
  std::string unary(const ir::Expr& e);
  std::string comparison(const ir::Expr& e);
  std::string equality(const ir::Expr& e);
  std::string one_sided(const ir::Expr& code, const ir::Expr& value, const char* op);
  std::string chain(const ir::Expr& e, const char* op);
  std::string whole(const ir::Expr& e, const char* op);
  static std::vector<const ir::Expr*> operands(const ir::Expr& e);
  std::string marked(const ir::Expr& e) const;
  std::string same(const ir::Expr& e);
  std::string in_type(const ir::Expr& e);

  std::string quantified(const ir::Expr& e);
  std::string count(const ir::Expr& e);
  std::string call(const ir::Expr& e);
  std::string defined_call(const ir::Expr& e);
  std::string argument(const ir::Argument& a, const ir::Local& parameter, SourcePosition position);

  const ir::Expr* whole_ = nullptr;
  const ir::Program& program_;
  const CppTypes& types_;
  Scope& scope_;
  FailureSites& sites_;
  Names& names_;
  std::map<const ir::Expr*, std::string> marks_;
};

}  // namespace strata::native
