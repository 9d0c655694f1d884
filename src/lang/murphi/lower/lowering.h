// The parts of the checker, and what they share. Each function checks a piece of the syntax tree, reports what is wrong
// with it, and returns its lowered form.
//
//   type_expressions.cc  types                       declarations.cc  constants, types, variables
//   expressions.cc       the expressions             operators.cc     unary, binary, conditional
//   designators.cc       names, fields, elements     quantifiers.cc   what loops and quantifiers run over
//   calls.cc             function calls              statements.cc    bodies: assignments, loops ...
//   branches.cc          if, switch, alias, for ...  functions.cc     functions and procedures
//   rules.cc             start states, rules, properties and what stands around them
//
// A null expression or a kNoType means: in error, and reported. Whoever receives one stays silent.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "ir/nodes.h"
#include "ir/program.h"
#include "lang/common/defines.h"
#include "lang/common/typed_expression.h"
#include "lang/murphi/syntax/ast.h"
#include "lang/murphi/types/scope.h"
#include "lang/murphi/types/types.h"

namespace strata::murphi {

struct FunctionInfo {
  struct Formal {
    std::string name;
    ir::TypeId type = ir::kNoType;
    bool by_reference = false;
    bool written = false;  // by reference, and the function changes it
  };
  std::string name;
  bool is_procedure = false;
  ir::TypeId result = ir::kNoType;
  std::vector<Formal> formals;
  bool writes_state = false;
  bool finished = false;  // its body is lowered: only then it may be called
  bool recursion_reported = false;
};

// What a local name leads to when something is written through it.
struct LocalInfo {
  enum class Root { itself, state, formal };
  bool writable = false;
  Root root = Root::itself;
  uint32_t formal = 0;
};

// The function, rule or property that is being lowered. Locals are numbered within it.
struct Callable {
  std::vector<ir::Local> locals;
  std::vector<LocalInfo> infos;  // one for each local
  FunctionInfo* function = nullptr;

  uint32_t add(ir::Local local, LocalInfo info);
};

// Predeclared, and not to be declared again.
inline constexpr const char* kBooleanName = "boolean";

struct Context;

// Types of `a, b : T` are one type: the tree shares it, and so do the declared names.
class SharedTypes {
 public:
  ir::TypeId lower(Context& context, const std::shared_ptr<TypeExpr>& type);

 private:
  const TypeExpr* last_ = nullptr;
  ir::TypeId last_type_ = ir::kNoType;
};

struct Context {
  Context(const Model& tree, lang::Defines values, Diagnostics& messages)
      : model(&tree), diagnostics(&messages), types(program.types), defines(std::move(values)) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Model* model;
  Diagnostics* diagnostics;
  ir::Program program;
  TypeTable types;
  Scopes scopes;
  std::vector<FunctionInfo> functions;  // as many as program.functions, or one more while a body is lowered
  Callable callable;
  std::vector<ir::Binding> bindings;  // what stands around the rule at hand, from the outside in
  std::map<std::string, uint32_t> process_families;  // the first process of each type of first parameters
  SharedTypes variable_types;
  lang::Defines defines;
  const char* pure = nullptr;  // in "the guard", "an invariant" ...: the state must not change here
  uint64_t state_bits = 0;

  void error(SourcePosition position, std::string message) {
    diagnostics->error(position, std::move(message));
  }
  // Reports a name that this scope has already.
  void declare(const std::string& name, Symbol symbol);
  // The name looked up; null (and reported) when there is none. `what`: "name", "type", "function".
  const Symbol* find(const std::string& name, SourcePosition position, const char* what);
  // Something is written through the place: remembered for the function at hand, refused where `pure` is set.
  void note_write(const ir::Place& place, SourcePosition position);
  void note_state_write(SourcePosition position);
};

// Types. The name is the one it is declared under, empty for a type in place.
ir::TypeId lower_type(Context& context, const TypeExpr& type, const std::string& name = {});
// Refuses aggregates and integers, for what is enumerated or used as an index.
bool require_scalar_type(Context& context, ir::TypeId type, SourcePosition position, const char* what);
// "the state would take N bits; ..." when that is more than is possible.
std::optional<std::string> too_large(const char* subject, uint64_t bits);

// Declarations, at the top level or in front of a body.
void lower_declaration(Context& context, const Decl& declaration, bool top_level);
// Expressions.
ir::ExprPtr lower_expression(Context& context, const Expr& expression);
ir::ExprPtr lower_condition(Context& context, const Expr& expression, const std::string& what);
ir::ExprPtr lower_integer(Context& context, const Expr& expression, const std::string& what);
std::optional<int64_t> lower_constant_integer(Context& context, const Expr& expression,
                                              const std::string& what);
ir::ExprPtr lower_unary(Context& context, const Expr& expression);
ir::ExprPtr lower_binary(Context& context, const Expr& expression);
ir::ExprPtr lower_conditional(Context& context, const Expr& expression);
// `left = right` for two scalars whose types are compatible.
ir::ExprPtr make_equal(ir::ExprPtr left, ir::ExprPtr right, SourcePosition position);
// The text of an expression in a message, quoted and not too long.
std::string quoted(const Expr& expression);
bool is_undefined_literal(const Context& context, const Expr& expression);

// Calls. A call as a statement may drop its result, and only there a procedure may be called.
ir::ExprPtr lower_call(Context& context, const std::string& name, const std::vector<ExprPtr>& arguments,
                       SourcePosition position, bool as_statement);

// Designators: x, x.f, x[i] ... A constant (or enum member) has no place.
struct Designator {
  ir::ExprPtr constant;
  std::unique_ptr<ir::Place> place;
  bool variable = false;  // names a variable or parameter, not a value computed in place
  bool writable = false;
  bool immutable_local = false;  // just a loop variable, rule parameter, value parameter or value alias

  explicit operator bool() const { return constant != nullptr || place != nullptr; }
};
bool is_designator(const Expr& expression);
Designator lower_designator(Context& context, const Expr& expression);
ir::ExprPtr read_designator(Designator designator, const Expr& expression);
// A plain read of a scalar variable, which may find it undefined.
bool may_be_undefined(const Context& context, const ir::Expr& expression);
// A place that may be written; otherwise null and a message "cannot assign to 'x' ...".
std::unique_ptr<ir::Place> lower_target(Context& context, const Expr& expression, const char* action);
// A variable of a multiset type, or null.
std::unique_ptr<ir::Place> lower_multiset(Context& context, const Expr& expression, const char* user,
                                          bool write);

// Quantifiers: declares the name in the scope at hand and returns the local.
struct Iteration {
  uint32_t local = 0;
  ir::Domain domain;
};
std::optional<Iteration> lower_quantifier(Context& context, const Quantifier& quantifier,
                                          bool constant_bounds);
// Binds the name to the slots of a multiset.
uint32_t declare_slot(Context& context, const Quantifier& quantifier, ir::TypeId multiset);

// Aliases: declares the name; a binding only where one is needed (an alias of a constant is just a constant).
struct AliasBinding {
  uint32_t local = 0;
  std::unique_ptr<ir::Place> place;
  ir::ExprPtr value;
};
std::optional<AliasBinding> lower_alias(Context& context, const AliasDecl& alias);

// Statements.
ir::Block lower_block(Context& context, const Block& block);
void lower_statement(Context& context, const Stmt& statement, ir::Block& out);
void lower_if(Context& context, const Stmt& statement, ir::Block& out);
void lower_switch(Context& context, const Stmt& statement, ir::Block& out);
void lower_for(Context& context, const Stmt& statement, ir::Block& out);
void lower_while(Context& context, const Stmt& statement, ir::Block& out);
void lower_alias_statement(Context& context, const Stmt& statement, ir::Block& out);
void lower_remove_where(Context& context, const Stmt& statement, ir::Block& out);

// Functions and items of the top level.
void lower_function(Context& context, const Function& function);
void lower_item(Context& context, const Item& item);
uint32_t add_property(Context& context, PropertyKind kind, bool has_name, const std::string& name,
                      SourcePosition position);
void lower_typed_property(Context& context, const lang::TypedExpression<Expr>& typed);

}  // namespace strata::murphi
