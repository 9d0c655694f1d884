#include "lang/murphi/syntax/murphi_parser.h"

#include <algorithm>

#include "lang/murphi/syntax/murphi_parser_impl.h"

namespace strata::murphi {

using Kind = TokenKind;

Model parse_model(const SourceFile& file, Diagnostics& diagnostics) {
  return Parser(file, diagnostics).model();
}

ExprPtr parse_expression(const SourceFile& file, Diagnostics& diagnostics) {
  return Parser(file, diagnostics).lone_expression();
}

Model Parser::model() {
  Model model;
  while (true) {
    while (accept(Kind::semicolon)) {
    }
    if (at_end()) return model;
    const size_t start = index();
    top_level(model);
    recover_item(start);
  }
}

ExprPtr Parser::lone_expression() {
  ExprPtr expr = expression();
  if (!at_end()) fail_expected("the end of the expression");
  return expr;
}

void Parser::top_level(Model& model) {
  if (at_any({Kind::word_const, Kind::word_type, Kind::word_var})) {
    std::vector<Decl> decls;
    section(decls, false);
    for (Decl& decl : decls) {
      TopLevel& part = model.parts.emplace_back();
      part.kind = TopLevel::Kind::decl;
      part.decl = std::move(decl);
    }
  } else if (at_any({Kind::word_function, Kind::word_procedure})) {
    TopLevel& part = model.parts.emplace_back();
    part.kind = TopLevel::Kind::function;
    part.function = function();
  } else if (at_item()) {
    TopLevel& part = model.parts.emplace_back();
    part.kind = TopLevel::Kind::item;
    item(part.item);
  } else if (at_word(Kind::word_pctl)) {
    fail("PCTL formulas are not supported");
  } else if (at_word(Kind::word_externfun) || at_word(Kind::word_externproc)) {
    fail("external functions and procedures are not supported");
  } else {
    fail_expected("a declaration, function, rule or property");
  }
}

// One `const`, `type` or `var` with its declarations. A local section may be followed by statements without `begin`.
void Parser::section(std::vector<Decl>& decls, bool local) {
  const Kind kind = next().kind;
  while (at_declaration(local)) {
    const size_t start = index();
    declaration(kind, decls);
    end_declaration(start);
  }
}

// True also if the name is missing or reserved: the declaration then reports it.
bool Parser::at_declaration(bool local) const {
  const Kind kind = peek().kind;
  if (kind == Kind::identifier) {
    const bool statement = at_any(
        {Kind::assign, Kind::equal, Kind::dot, Kind::left_bracket, Kind::left_parenthesis, Kind::semicolon},
        1);
    return !local || !statement;
  }
  if (at_any({Kind::word_const, Kind::word_type, Kind::word_var})) return false;
  const bool word = is_soft(kind) || is_reserved(kind);
  return kind == Kind::colon || (word && at_any({Kind::colon, Kind::comma}, 1));
}

// The ';' is optional, as in Rumur, if the next token can follow a declaration.
void Parser::end_declaration(size_t start) {
  const Kind kind = peek().kind;
  const bool continues_type =
      at_any({Kind::word_array, Kind::word_boolean, Kind::word_by, Kind::word_do, Kind::word_enum,
              Kind::word_false, Kind::word_of, Kind::word_real, Kind::word_record, Kind::word_scalarset,
              Kind::word_then, Kind::word_to, Kind::word_true, Kind::word_union});
  const bool can_follow = is_name(kind) || is_reserved(kind) || at_end() || kind == Kind::semicolon;
  if (!can_follow || (continues_type && !at_any({Kind::colon}, 1)))
    fail_expected("';' after the declaration");
  recover_declaration(start);
  while (accept(Kind::semicolon)) {
  }
}

void Parser::declaration(Kind section, std::vector<Decl>& decls) {
  const std::string_view what = section == Kind::word_const  ? "the name of a constant"
                                : section == Kind::word_type ? "the name of a type"
                                                             : "the name of a variable";
  const std::vector<Name> declared = names(what);
  if (section == Kind::word_const) return constants(declared, decls);
  const std::shared_ptr<TypeExpr> shared = type();
  for (const Name& name : declared) {
    Decl& decl = decls.emplace_back();
    if (section == Kind::word_type) {
      decl.kind = Decl::Kind::type;
      decl.type = {name.text, name.position, shared};
    } else {
      decl.kind = Decl::Kind::variable;
      decl.variable = {name.text, name.position, shared};
    }
  }
}

// `a, b : 5`: each constant needs its own copy of the value, so the value is parsed again for each name.
void Parser::constants(const std::vector<Name>& names, std::vector<Decl>& decls) {
  const size_t start = index();
  for (const Name& name : names) {
    if (panicking()) return;
    rewind(start);
    Decl& decl = decls.emplace_back();
    decl.kind = Decl::Kind::constant;
    decl.constant = {name.text, name.position, expression()};
  }
}

// `a, b, c :`; a comma after the last name is allowed (Rumur).
std::vector<lang::Name> Parser::names(std::string_view what) {
  std::vector<Name> names;
  do {
    names.push_back(declared_name(what));
  } while (accept(Kind::comma) && !at(Kind::colon));
  expect(Kind::colon, "after '" + names.back().text.substr(0, 40) + "'");
  return names;
}

TypePtr Parser::type() {
  auto type = std::make_unique<TypeExpr>();
  const Nesting nesting(*this);
  if (!nesting.ok()) return type;
  type->position = peek().position;
  if (at_word(Kind::word_multiset) && at_any({Kind::left_bracket, Kind::word_interleaved}, 1)) {
    array_type(*type);
  } else if (at_any({Kind::word_array, Kind::word_boolean, Kind::word_enum, Kind::word_real,
                     Kind::word_record, Kind::word_scalarset, Kind::word_union})) {
    type = type_at_keyword();
  } else if (at_expression()) {
    range_or_name(*type);
  } else {
    fail_expected("a type");
  }
  finish(*type);
  return type;
}

TypePtr Parser::type_at_keyword() {
  auto type = std::make_unique<TypeExpr>();
  type->position = peek().position;
  switch (peek().kind) {
    case Kind::word_array: array_type(*type); break;
    case Kind::word_boolean:
      next();
      type->text = "boolean";
      break;
    case Kind::word_enum: enumerated_type(*type); break;
    case Kind::word_real: real_type(*type); break;
    case Kind::word_record: record_type(*type); break;
    case Kind::word_scalarset:
      next();
      type->kind = TypeExpr::Kind::scalarset;
      expect(Kind::left_parenthesis, "after 'scalarset'");
      type->low = expression();
      expect(Kind::right_parenthesis, "after the size of the scalarset");
      break;
    default: union_type(*type); break;
  }
  return type;
}

void Parser::enumerated_type(TypeExpr& type) {
  next();
  type.kind = TypeExpr::Kind::enumerated;
  expect(Kind::left_brace, "after 'enum'");
  while (!at(Kind::right_brace) && !panicking()) {
    Name member = declared_name("the name of an enum member");
    type.members.emplace_back(std::move(member.text), member.position);
    if (!accept(Kind::comma)) break;
  }
  expect(Kind::right_brace, "after the members of the enum");
}

void Parser::union_type(TypeExpr& type_expr) {
  next();
  type_expr.kind = TypeExpr::Kind::union_of;
  expect(Kind::left_brace, "after 'union'");
  while (!at(Kind::right_brace) && !panicking()) {
    type_expr.parts.push_back(type());
    if (!accept(Kind::comma)) break;
  }
  expect(Kind::right_brace, "after the members of the union");
}

// `array [index] of element` or `multiset [size] of element`. CMurphi's `interleaved` only requests a memory layout and
// has no other meaning.
void Parser::array_type(TypeExpr& type_expr) {
  const bool multiset = next().kind == Kind::word_multiset;
  accept(Kind::word_interleaved);
  expect(Kind::left_bracket, multiset ? "after 'multiset'" : "after 'array'");
  if (multiset) {
    type_expr.kind = TypeExpr::Kind::multiset;
    type_expr.low = expression();
  } else {
    type_expr.kind = TypeExpr::Kind::array;
    type_expr.index = type();
  }
  expect(Kind::right_bracket,
         multiset ? "after the size of the multiset" : "after the index type of the array");
  expect(Kind::word_of, "before the element type");
  type_expr.element = type();
}

void Parser::record_type(TypeExpr& type_expr) {
  const SourcePosition opened = next().position;
  type_expr.kind = TypeExpr::Kind::record;
  open(Kind::word_endrecord);
  if (at_word(Kind::word_interleaved) && !at_any({Kind::colon, Kind::comma}, 1)) next();
  while (accept(Kind::semicolon)) {
  }
  while (at_declaration(false)) {
    const size_t start = index();
    // The names of fields cannot be confused with soft words, so they do not end the special meaning of such a word.
    std::vector<Name> fields;
    do {
      fields.push_back(name("the name of a field"));
    } while (accept(Kind::comma) && !at(Kind::colon));
    expect(Kind::colon, "after '" + fields.back().text.substr(0, 40) + "'");
    const std::shared_ptr<TypeExpr> shared = type();
    for (Name& field : fields) type_expr.fields.push_back({std::move(field.text), field.position, shared});
    end_declaration(start);
  }
  close("record", opened);
}

// Parsed so that the text after it can be checked; the checker refuses the type.
void Parser::real_type(TypeExpr& type) {
  next();
  type.kind = TypeExpr::Kind::real;
  if (!accept(Kind::left_parenthesis)) return;
  type.low = expression();
  if (accept(Kind::comma)) type.high = expression();
  expect(Kind::right_parenthesis, "after the bounds of the real type");
}

void Parser::range_or_name(TypeExpr& type) {
  const size_t first = index();
  ExprPtr low = expression();
  if (accept(Kind::dot_dot)) {
    type.kind = TypeExpr::Kind::range;
    type.low = std::move(low);
    type.high = expression();
  } else if (low->kind == Expr::Kind::name && index() == first + 1) {
    type.text = low->text;
  } else {
    fail_expected("'..' after the lower bound of the range");
  }
}

void Parser::finish(TypeExpr& type) {
  uint32_t tallest = 0;
  const auto consider = [&tallest](const auto& child) {
    if (child) tallest = std::max(tallest, child->height);
  };
  consider(type.low);
  consider(type.high);
  consider(type.index);
  consider(type.element);
  for (const TypePtr& part : type.parts) consider(part);
  for (const FieldDecl& field : type.fields) consider(field.type);
  type.height = tallest + 1;
}

}  // namespace strata::murphi
