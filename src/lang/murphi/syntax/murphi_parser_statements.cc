#include "lang/murphi/syntax/murphi_parser_impl.h"

namespace strata::murphi {

using Kind = TokenKind;

// Statements up to the word that ends or continues the enclosing construct.
Block Parser::block() {
  Block block;
  while (true) {
    while (accept(Kind::semicolon)) {
    }
    if (at_block_end()) return block;
    const size_t start = index();
    block.push_back(statement());
    end_statement();
    recover_statement(start);
    if (panicking()) return block;
  }
}

// Statements are separated by ';'. If it is missing but a statement clearly begins, nothing is skipped.
void Parser::end_statement() {
  if (panicking() || at(Kind::semicolon) || at_block_end()) return;
  const bool begins_assignment =
      is_name(peek().kind) &&
      at_any({Kind::assign, Kind::dot, Kind::left_bracket, Kind::left_parenthesis}, 1);
  if (begins_assignment || at_statement_keyword()) {
    report_expected("';' after the statement");
  } else {
    fail_expected("';' after the statement");
  }
}

bool Parser::at_statement_keyword() const {
  return at_any({Kind::word_alias, Kind::word_clear, Kind::word_error, Kind::word_for, Kind::word_if,
                 Kind::word_put, Kind::word_return, Kind::word_switch, Kind::word_undefine,
                 Kind::word_while}) ||
         at_property_word() || at_word(Kind::word_multisetadd) || at_word(Kind::word_multisetremove) ||
         at_word(Kind::word_multisetremovepred);
}

// Models for CMurphi use `assume`, `cover` and `liveness` as names; after a name there is never an expression.
bool Parser::at_property_word() const {
  if (at_any({Kind::word_assert, Kind::word_invariant})) return true;
  if (!at_word(Kind::word_assume) && !at_word(Kind::word_cover) && !at_word(Kind::word_liveness))
    return false;
  return !at_any({Kind::assign, Kind::dot, Kind::left_bracket, Kind::equal, Kind::colon, Kind::comma}, 1);
}

PropertyKind Parser::property_kind() {
  switch (next().kind) {
    case Kind::word_invariant: return PropertyKind::invariant;
    case Kind::word_assume: return PropertyKind::assumption;
    case Kind::word_cover: return PropertyKind::cover;
    case Kind::word_liveness: return PropertyKind::liveness;
    default: return PropertyKind::assertion;
  }
}

Stmt Parser::statement() {
  Stmt stmt;
  const Nesting nesting(*this);
  if (!nesting.ok()) return stmt;
  stmt.position = peek().position;
  if (at_statement_keyword()) {
    statement_at_keyword(stmt);
  } else if (is_name(peek().kind)) {
    assignment_or_call(stmt);
  } else {
    fail_expected("a statement");
  }
  return stmt;
}

void Parser::statement_at_keyword(Stmt& stmt) {
  switch (peek().kind) {
    case Kind::word_alias: return alias_statement(stmt);
    case Kind::word_clear:
    case Kind::word_undefine:
      stmt.kind = next().kind == Kind::word_clear ? Stmt::Kind::clear : Stmt::Kind::undefine;
      stmt.args.push_back(designator());
      return;
    case Kind::word_error:
      next();
      stmt.kind = Stmt::Kind::error;
      if (!at(Kind::string)) return fail_expected("a string after 'error'");
      stmt.text = string_text(next());
      return;
    case Kind::word_for: return for_statement(stmt);
    case Kind::word_if: return if_statement(stmt);
    case Kind::word_put: return put_statement(stmt);
    case Kind::word_return:
      next();
      stmt.kind = Stmt::Kind::return_;
      if (at_expression()) stmt.args.push_back(expression());
      return;
    case Kind::word_switch: return switch_statement(stmt);
    case Kind::word_while: return while_statement(stmt);
    case Kind::word_multisetadd: return multiset_statement(stmt, Stmt::Kind::multiset_add);
    case Kind::word_multisetremove: return multiset_statement(stmt, Stmt::Kind::multiset_remove);
    case Kind::word_multisetremovepred: return multiset_statement(stmt, Stmt::Kind::multiset_remove_pred);
    default: return property_statement(stmt);
  }
}

void Parser::if_statement(Stmt& stmt) {
  stmt.kind = Stmt::Kind::if_then;
  open(Kind::word_endif);
  stmt.branches.push_back(branch());
  while (at(Kind::word_elsif)) stmt.branches.push_back(branch());
  if (at(Kind::word_else)) {
    Branch& last = stmt.branches.emplace_back();
    last.position = next().position;
    last.block = block();
  }
  close("'if'", stmt.position);
}

Branch Parser::branch() {
  Branch branch;
  branch.position = next().position;
  branch.condition = expression();
  expect(Kind::word_then, "after the condition");
  if (panicking() && resume_at({Kind::word_then})) next();
  branch.block = block();
  return branch;
}

void Parser::switch_statement(Stmt& stmt) {
  next();
  stmt.kind = Stmt::Kind::switch_on;
  open(Kind::word_endswitch);
  stmt.args.push_back(expression());
  while (at(Kind::word_case)) {
    SwitchCase& one = stmt.cases.emplace_back();
    one.position = next().position;
    arguments(one.values, Kind::colon);
    if (one.values.empty()) fail_expected("an expression");
    expect(Kind::colon, "after the values of the case");
    one.block = block();
  }
  if (at(Kind::word_else)) {
    SwitchCase& rest = stmt.cases.emplace_back();
    rest.position = next().position;
    accept(Kind::colon);
    rest.block = block();
  }
  close("'switch'", stmt.position);
}

// Several quantifiers become nested loops.
void Parser::for_statement(Stmt& stmt) {
  next();
  open(Kind::word_endfor);
  std::vector<Quantifier> loops = quantifiers();
  expect_do("after the loop variable");
  if (panicking() && resume_at({Kind::word_do})) next();
  Block body = block();
  close("'for'", stmt.position);
  for (size_t i = loops.size(); i-- > 0;) {
    Stmt loop;
    loop.kind = Stmt::Kind::for_loop;
    loop.position = i == 0 ? stmt.position : loops[i].position;
    loop.quantifier = std::make_unique<Quantifier>(std::move(loops[i]));
    loop.body = std::move(body);
    body.clear();
    body.push_back(std::move(loop));
  }
  stmt = std::move(body.front());
}

void Parser::while_statement(Stmt& stmt) {
  next();
  stmt.kind = Stmt::Kind::while_loop;
  open(Kind::word_endwhile);
  stmt.args.push_back(expression());
  expect_do("after the condition");
  if (panicking() && resume_at({Kind::word_do})) next();
  stmt.body = block();
  close("'while'", stmt.position);
}

void Parser::alias_statement(Stmt& stmt) {
  next();
  stmt.kind = Stmt::Kind::alias;
  open(Kind::word_endalias);
  stmt.aliases = aliases();
  expect_do("after the aliases");
  if (panicking() && resume_at({Kind::word_do})) next();
  stmt.body = block();
  close("'alias'", stmt.position);
}

// `a : x; b, c : y`; CMurphi also separates them by commas.
std::vector<AliasDecl> Parser::aliases() {
  std::vector<AliasDecl> aliases;
  do {
    const std::vector<Name> declared = names("the name of an alias");
    const size_t start = index();
    for (const Name& name : declared) {
      if (panicking()) break;
      rewind(start);
      aliases.push_back({name.text, name.position, expression()});
    }
    while (accept(Kind::semicolon) || accept(Kind::comma)) {
    }
  } while (is_name(peek().kind));
  return aliases;
}

void Parser::put_statement(Stmt& stmt) {
  next();
  stmt.kind = Stmt::Kind::put;
  if (at(Kind::string)) {
    stmt.text = string_text(next());
  } else {
    stmt.args.push_back(expression());
  }
}

// The message is before or after the condition.
void Parser::property_statement(Stmt& stmt) {
  stmt.kind = Stmt::Kind::property;
  stmt.property = property_kind();
  const bool message_first = at(Kind::string);
  if (message_first) stmt.text = string_text(next());
  stmt.args.push_back(expression());
  if (!message_first && at(Kind::string)) stmt.text = string_text(next());
}

void Parser::multiset_statement(Stmt& stmt, Stmt::Kind kind) {
  const std::string word(text(next()));
  stmt.kind = kind;
  expect(Kind::left_parenthesis, "after '" + word + "'");
  if (kind == Stmt::Kind::multiset_remove_pred) stmt.quantifier = element_quantifier();
  stmt.args.push_back(expression());
  expect(Kind::comma, "after the first argument of '" + word + "'");
  stmt.args.push_back(expression());
  expect(Kind::right_parenthesis, "after the arguments of '" + word + "'");
}

void Parser::assignment_or_call(Stmt& stmt) {
  if (at_any({Kind::left_parenthesis}, 1)) {
    ExprPtr called = call();
    stmt.kind = Stmt::Kind::call;
    stmt.text = std::move(called->text);
    stmt.args = std::move(called->args);
    return;
  }
  ExprPtr target = designator();
  const std::string what = panicking() ? "" : target->source;
  expect(Kind::assign, "after '" + what + "'");
  const bool undefined = at_word(Kind::word_undefined);
  ExprPtr value = expression();
  stmt.args.push_back(std::move(target));
  // CMurphi's other spelling of `undefine x`.
  if (undefined && value->kind == Expr::Kind::name) {
    stmt.kind = Stmt::Kind::undefine;
  } else {
    stmt.args.push_back(std::move(value));
  }
}

}  // namespace strata::murphi
