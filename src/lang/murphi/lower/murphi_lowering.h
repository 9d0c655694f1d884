// The constructs that contain expressions: declarations, statements, rules. Each function checks a piece of the syntax
// tree, reports its errors, and adds its lowered form to the program or returns it.
//
//   murphi_declarations.cc  constants, types, variables     statements.cc  bodies: assignments, calls ...
//   functions.cc            functions and procedures        branches.cc    if, switch, alias, for ...
//   rules.cc                start states, rules, properties and the groups that enclose them
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ir/program.h"
#include "lang/common/typed_expression.h"
#include "lang/murphi/expressions/context.h"
#include "lang/murphi/expressions/expressions.h"
#include "lang/murphi/syntax/murphi_ast.h"

namespace strata::murphi {

// Declarations, at the top level or before a body.
void lower_declaration(Context& context, const Decl& declaration, bool top_level);

// Aliases: declares the name; returns a binding only if one is needed (an alias of a constant is a constant).
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

// Functions and items of the top level. lower_functions takes consecutive functions, which may call each other.
void lower_functions(Context& context, const TopLevel* begin, const TopLevel* end);
void lower_item(Context& context, const Item& item);
uint32_t add_property(Context& context, PropertyKind kind, bool has_name, const std::string& name,
                      SourcePosition position);
// Reports errors that occur whenever their code runs (certain_failures.cc).
void refuse_certain_failures(Context& context);
void lower_typed(Context& context, const lang::TypedExpression<Expr>& typed);

}  // namespace strata::murphi
