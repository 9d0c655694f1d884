// The Murphi parser: recursive descent, one function for each construct of the language, in the files
//   murphi_parser.cc              the model, declarations, types
//   murphi_parser_items.cc        functions, rules, start states, properties and their groups
//   murphi_parser_statements.cc   statements
//   murphi_parser_expressions.cc  expressions, quantifiers
#pragma once

#include <string>
#include <vector>

#include "lang/murphi/syntax/murphi_ast.h"
#include "lang/murphi/syntax/murphi_parser_cursor.h"

namespace strata::murphi {

class Parser : private ParserCursor {
 public:
  Parser(const SourceFile& file, Diagnostics& diagnostics) : ParserCursor(file, diagnostics) {}
  Model model();
  ExprPtr lone_expression();

 private:
  using Name = lang::Name;
  struct Operand {
    ExprPtr expr;
    size_t first, end;  // its tokens
  };
  struct Operator {
    TokenKind kind;
    int level;
    bool prefix;
    size_t token;
  };
  struct OperatorStack {
    std::vector<Operand> operands;
    std::vector<Operator> operators;
  };

  // murphi_parser.cc
  void top_level(Model& model);
  void section(std::vector<Decl>& decls, bool local);
  bool at_declaration(bool local) const;
  void end_declaration(size_t start);
  void declaration(TokenKind section, std::vector<Decl>& decls);
  void constants(const std::vector<Name>& names, std::vector<Decl>& decls);
  std::vector<Name> names(std::string_view what);
  TypePtr type();
  TypePtr type_at_keyword();
  void enumerated_type(TypeExpr& type);
  void union_type(TypeExpr& type);
  void array_type(TypeExpr& type);
  void record_type(TypeExpr& type);
  void real_type(TypeExpr& type);
  void range_or_name(TypeExpr& type);
  void finish(TypeExpr& type);

  // murphi_parser_items.cc
  Function function();
  void parameters(std::vector<Parameter>& parameters);
  void parameter(std::vector<Parameter>& parameters);
  void body(std::vector<Decl>& decls, Block& block);
  void item(Item& item);
  bool at_item() const;
  void items(std::vector<Item>& items);
  void start_state(Item& item);
  void rule(Item& item);
  void optional_priority(Item& item);
  void optional_name(Item& item);
  void guard(Item& item);
  void property(Item& item);
  void ruleset(Item& item);
  void alias_group(Item& item);
  void choose(Item& item);

  // murphi_parser_statements.cc
  Block block();
  void end_statement();
  Stmt statement();
  void statement_at_keyword(Stmt& stmt);
  bool at_property_word() const;
  PropertyKind property_kind();
  bool at_statement_keyword() const;
  void if_statement(Stmt& stmt);
  Branch branch();
  void switch_statement(Stmt& stmt);
  void for_statement(Stmt& stmt);
  void while_statement(Stmt& stmt);
  void alias_statement(Stmt& stmt);
  std::vector<AliasDecl> aliases();
  void put_statement(Stmt& stmt);
  void property_statement(Stmt& stmt);
  void multiset_statement(Stmt& stmt, Stmt::Kind kind);
  void assignment_or_call(Stmt& stmt);

  // murphi_parser_expressions.cc
  ExprPtr expression();
  bool at_expression() const;
  ExprPtr operation();
  bool accept_prefix_operator(OperatorStack& stack);
  bool make_room(OperatorStack& stack, const Operator& incoming);
  void fold_smallest_integer(OperatorStack& stack);
  void reduce(OperatorStack& stack);
  Operand join(Operand left, const Operator& op, Operand right);
  Operand join_run(std::vector<Operand>& operands, const std::vector<Operator>& operators, size_t from,
                   size_t to);
  ExprPtr primary();
  ExprPtr literal();
  ExprPtr designator();
  ExprPtr call();
  void arguments(std::vector<ExprPtr>& args, TokenKind close);
  ExprPtr parenthesised();
  ExprPtr quantified();
  ExprPtr is_undefined();
  ExprPtr is_member();
  ExprPtr multiset_count();
  std::vector<Quantifier> quantifiers();
  Quantifier quantifier();
  std::unique_ptr<Quantifier> element_quantifier();
  ExprPtr finish(ExprPtr expr, size_t first, size_t end);
  ExprPtr finish(ExprPtr expr, size_t first) { return finish(std::move(expr), first, index()); }
};

}  // namespace strata::murphi
