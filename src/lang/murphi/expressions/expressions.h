// Expressions, and types, whose bounds are expressions. Each function checks a piece of the syntax tree, reports its
// errors and returns its lowered form.
//
//   type_expressions.cc  types                      expressions.cc  the expressions
//   designators.cc       names, fields, elements    operators.cc    unary, binary, conditional
//   calls.cc             function calls             quantifiers.cc  ranges of loops and quantifiers
//   undefined.cc         where undefined values may go
//
// A null expression or kNoType means that an error was reported. Functions that receive one report nothing more.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/nodes.h"
#include "ir/program.h"
#include "lang/murphi/expressions/context.h"
#include "lang/murphi/syntax/murphi_ast.h"

namespace strata::murphi {

// Types. `name` is the declared name; empty for an anonymous type.
ir::TypeId lower_type(Context& context, const TypeExpr& type, const std::string& name = {});
// Refuses aggregates and plain integers where a type is enumerated or used as an index.
bool require_scalar_type(Context& context, ir::TypeId type, SourcePosition position, const char* what);
// "<subject> would take N bits; ..." if that is more than the limit.
std::optional<std::string> too_large(const char* subject, uint64_t bits);

// Expressions.
ir::ExprPtr lower_expression(Context& context, const Expr& expression);
ir::ExprPtr lower_condition(Context& context, const Expr& expression, const std::string& what);
ir::ExprPtr lower_integer(Context& context, const Expr& expression, const std::string& what);
// Returns the value if it is an integer; otherwise reports an error and returns null.
ir::ExprPtr require_integer(Context& context, ir::ExprPtr value, const Expr& expression,
                            const std::string& what);
std::optional<int64_t> lower_constant_integer(Context& context, const Expr& expression,
                                              const std::string& what);
ir::ExprPtr lower_unary(Context& context, const Expr& expression);
ir::ExprPtr lower_binary(Context& context, const Expr& expression);
ir::ExprPtr lower_conditional(Context& context, const Expr& expression);
// `left = right` for two scalars whose types are compatible.
ir::ExprPtr make_equal(const Context& context, ir::ExprPtr left, ir::ExprPtr right, SourcePosition position);
// The text of an expression in a message, quoted and not too long.
std::string quoted(const Expr& expression);
bool is_undefined_literal(const Context& context, const Expr& expression);

// Calls. A call as a statement may drop its result; only as a statement may a procedure be called.
ir::ExprPtr lower_call(Context& context, const std::string& name, const std::vector<ExprPtr>& arguments,
                       SourcePosition position, bool as_statement);

// Designators: x, x.f, x[i] ... A constant (or enum member) has no place.
struct Designator {
  ir::ExprPtr constant;
  std::unique_ptr<ir::Place> place;
  bool variable = false;  // a variable or parameter, not a computed value
  bool writable = false;
  bool immutable_local = false;  // a whole loop variable, rule parameter, value parameter or value alias

  explicit operator bool() const { return constant != nullptr || place != nullptr; }
};
bool is_designator(const Expr& expression);
Designator lower_designator(Context& context, const Expr& expression);
ir::ExprPtr read_designator(Designator designator, const Expr& expression);
// A place that may be written; otherwise null, after the message "cannot assign to 'x' ...".
std::unique_ptr<ir::Place> lower_target(Context& context, const Expr& expression, const char* action);
// A variable of a multiset type; otherwise null, after a message.
std::unique_ptr<ir::Place> lower_multiset(Context& context, const Expr& expression, const char* user,
                                          bool write);

// Quantifiers: declares the name in the current scope and returns the local.
struct Iteration {
  uint32_t local = 0;
  ir::Domain domain;
};
std::optional<Iteration> lower_quantifier(Context& context, const Quantifier& quantifier,
                                          bool constant_bounds);
// Binds the name to the slots of a multiset.
uint32_t declare_slot(Context& context, const Quantifier& quantifier, ir::TypeId multiset);

}  // namespace strata::murphi
