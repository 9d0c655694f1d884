#include "lang/murphi/syntax/murphi_parser_impl.h"

namespace strata::murphi {

using Kind = TokenKind;

// As in Rumur, `function` and `procedure` are synonyms: a subprogram with a result type is a function.
Function Parser::function() {
  Function function;
  const Token& word = next();
  open(word.kind == Kind::word_function ? Kind::word_endfunction : Kind::word_endprocedure);
  const std::string_view what = word.kind == Kind::word_function ? "function" : "procedure";
  Name declared = declared_name("the name of a " + std::string(what));
  function.name = std::move(declared.text);
  function.position = declared.position;
  resume_at({Kind::left_parenthesis});
  expect(Kind::left_parenthesis, "after the name of the " + std::string(what));
  parameters(function.parameters);
  expect(Kind::right_parenthesis, "after the parameters");
  if (accept(Kind::colon)) function.result = type();
  resume_at({Kind::semicolon, Kind::word_begin});
  while (accept(Kind::semicolon)) {
  }
  body(function.decls, function.body);
  close(what, word.position);
  return function;
}

void Parser::parameters(std::vector<Parameter>& parameters) {
  while (true) {
    while (accept(Kind::semicolon) || accept(Kind::comma)) {
    }
    if (at(Kind::right_parenthesis) || panicking()) return;
    parameter(parameters);
    // Rumur does not require a ';' between parameters.
    if (!at_any({Kind::semicolon, Kind::comma, Kind::right_parenthesis, Kind::word_var}) &&
        !is_name(peek().kind)) {
      fail_expected("')' after the parameters");
    }
    if (!resume_at({Kind::semicolon, Kind::right_parenthesis})) return;
  }
}

void Parser::parameter(std::vector<Parameter>& parameters) {
  const bool by_reference = accept(Kind::word_var);
  const std::vector<Name> declared = names("the name of a parameter");
  const std::shared_ptr<TypeExpr> shared = type();
  for (const Name& name : declared) parameters.push_back({name.text, name.position, by_reference, shared});
}

// Declarations, `begin`, statements. `begin` may be omitted.
void Parser::body(std::vector<Decl>& decls, Block& statements) {
  while (at_any({Kind::word_const, Kind::word_type, Kind::word_var})) section(decls, true);
  accept(Kind::word_begin);
  statements = block();
}

bool Parser::at_item() const {
  return at_any({Kind::word_startstate, Kind::word_rule, Kind::word_ruleset, Kind::word_alias}) ||
         at(Kind::word_choose) || at_property_word();
}

void Parser::item(Item& item) {
  const Nesting nesting(*this);
  if (!nesting.ok()) return;
  item.position = peek().position;
  switch (peek().kind) {
    case Kind::word_startstate: return start_state(item);
    case Kind::word_rule: return rule(item);
    case Kind::word_ruleset: return ruleset(item);
    case Kind::word_alias: return alias_group(item);
    case Kind::word_choose: return choose(item);
    default: return property(item);
  }
}

// The items inside a ruleset, alias or choose.
void Parser::items(std::vector<Item>& items) {
  while (true) {
    while (accept(Kind::semicolon)) {
    }
    if (!at_item() && at_block_end()) return;
    const size_t start = index();
    if (at_item()) {
      item(items.emplace_back());
    } else {
      fail_expected("a rule, start state or property");
    }
    recover_item(start);
  }
}

void Parser::start_state(Item& item) {
  next();
  item.kind = Item::Kind::start;
  open(Kind::word_endstartstate);
  optional_name(item);
  body(item.decls, item.body);
  close("start state", item.position);
}

void Parser::optional_name(Item& item) {
  if (item.has_name || !at(Kind::string)) return;
  item.has_name = true;
  item.name = string_text(next());
}

// In CMurphi the priority precedes the name.
void Parser::rule(Item& item) {
  next();
  item.kind = Item::Kind::rule;
  open(Kind::word_endrule);
  optional_priority(item);
  optional_name(item);
  optional_priority(item);
  guard(item);
  body(item.decls, item.body);
  close("rule", item.position);
  item.end = token(index() - 1).position;
}

// A number may also begin the guard; then an operator follows it.
void Parser::optional_priority(Item& item) {
  if (item.priority || !at(Kind::number)) return;
  const Kind following = peek(1).kind;
  const bool number_alone = following == Kind::string || following == Kind::left_parenthesis ||
                            following == Kind::number || following == Kind::not_sign ||
                            following == Kind::tilde || following == Kind::semicolon || is_name(following) ||
                            is_reserved(following);
  if (!number_alone) return;
  const Token& number = next();
  if (number.value > INT64_MAX) return fail_at(number.position, "the priority is too large");
  item.priority = static_cast<int64_t>(number.value);
}

// The name is followed by a guard or, in a rule without guard and `begin`, by the first statement: `x = 1 ==>` or
// `x := 1`. Both can start with the same tokens, so the guard is tried first.
void Parser::guard(Item& item) {
  const bool present = at_expression() || at(Kind::arrow);
  if (!present || at_statement_keyword()) return;
  const size_t start = index();
  ExprPtr expr = expression();
  const bool assignment = at(Kind::assign) && !leads_to(Kind::arrow);
  const bool call =
      expr->kind == Expr::Kind::call && (at(Kind::semicolon) || (at_block_end() && !panicking()));
  if (assignment || call) return rewind(start);
  expect(Kind::arrow, "after the guard");
  if (panicking() &&
      resume_at({Kind::arrow, Kind::word_begin, Kind::word_const, Kind::word_type, Kind::word_var})) {
    accept(Kind::arrow);
  }
  item.guard = std::move(expr);
}

void Parser::property(Item& item) {
  item.kind = Item::Kind::property;
  item.property = property_kind();
  optional_name(item);
  item.guard = expression();
  optional_name(item);
  if (!panicking() && !at(Kind::semicolon) && !at_end() && !is_reserved(peek().kind) &&
      !is_name(peek().kind)) {
    fail_expected("';' after the property");
  }
}

void Parser::ruleset(Item& item) {
  next();
  item.kind = Item::Kind::ruleset;
  open(Kind::word_endruleset);
  item.quantifiers = quantifiers();
  expect_do("after the parameters of the ruleset");
  if (panicking() && resume_at({Kind::word_do, Kind::word_rule, Kind::word_ruleset})) accept(Kind::word_do);
  items(item.items);
  close("ruleset", item.position);
}

void Parser::alias_group(Item& item) {
  next();
  item.kind = Item::Kind::alias;
  open(Kind::word_endalias);
  item.aliases = aliases();
  expect_do("after the aliases");
  if (panicking() && resume_at({Kind::word_do, Kind::word_rule, Kind::word_ruleset})) accept(Kind::word_do);
  items(item.items);
  close("alias", item.position);
}

void Parser::choose(Item& item) {
  next();
  item.kind = Item::Kind::choose;
  open(Kind::word_endchoose);
  item.quantifiers.push_back(std::move(*element_quantifier()));
  item.quantifiers.back().from = designator();
  expect_do("after the multiset");
  if (panicking() && resume_at({Kind::word_do, Kind::word_rule, Kind::word_ruleset})) accept(Kind::word_do);
  items(item.items);
  close("choose", item.position);
}

}  // namespace strata::murphi
