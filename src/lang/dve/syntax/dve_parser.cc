#include "lang/dve/syntax/dve_parser.h"

#include <fmt/format.h>

#include "lang/dve/syntax/dve_parser_impl.h"

namespace strata::dve {

using Kind = TokenKind;

Model parse_model(const SourceFile& file, Diagnostics& diagnostics) {
  return Parser(file, tokenize(file, diagnostics), diagnostics).model();
}

ExprPtr parse_expression(const SourceFile& file, Diagnostics& diagnostics) {
  return parse_expression(file, 0, file.text().size(), diagnostics);
}

ExprPtr parse_expression(const SourceFile& file, size_t begin, size_t end, Diagnostics& diagnostics) {
  return Parser(file, tokenize(file, begin, end, diagnostics), diagnostics).lone_expression();
}

Model Parser::model() {
  Model model;
  while (!at_end()) {
    const size_t start = index();
    item(model);
    recover(start, Boundary::declaration);
    if (index() == start) next();
  }
  if (!model.has_system && !diagnostics().has_errors())
    fail("expected 'system async;' or 'system sync;' at the end of the model");
  return model;
}

void Parser::item(Model& model) {
  const auto remember = [&](Model::Item::Kind kind, size_t before, size_t after) {
    for (size_t i = before; i < after; ++i) model.items.push_back({kind, i});
  };
  const size_t declarations = model.declarations.size();
  if (at_declaration()) {
    declaration(model.declarations);
    remember(Model::Item::Kind::declaration, declarations, model.declarations.size());
  } else if (at(Kind::word_process)) {
    process(model);
  } else if (at(Kind::word_property)) {
    property(model);
  } else if (at(Kind::word_system)) {
    system(model);
  } else if (at_word("for")) {
    instance_loop(model);
  } else if (at_word("expression")) {
    named_expression(model);
  } else if (!accept(Kind::semicolon)) {
    fail_expected("a declaration, a process or 'system'");
  }
}

// system async; system sync property P;
void Parser::system(Model& model) {
  const SourcePosition position = next().position;
  if (model.has_system) return fail_at(position, "the model has a second 'system'");
  model.has_system = true;
  if (accept(Kind::word_sync)) {
    model.synchronous = true;
  } else {
    expect(Kind::word_async, "or 'sync' after 'system'");
  }
  if (accept(Kind::word_property)) model.property = name("the name of the property process");
  expect(Kind::semicolon, "after the system");
}

// property process P { ... }  or  property ltl name "formula"
void Parser::property(Model& model) {
  next();
  if (at(Kind::word_process)) {
    const size_t before = model.processes.size();
    process(model);
    if (model.processes.size() > before) model.property = model.processes.back().name;
    return;
  }
  if (!at_word("ltl")) return fail_expected("'process' or 'ltl' after 'property'");
  next();
  Formula formula;
  formula.name = name("the name of the property");
  if (!at(Kind::string)) return fail_expected("a formula in quotes");
  const std::string_view quoted = text(next());
  formula.text = std::string(quoted.substr(1, quoted.size() - 2));
  accept(Kind::semicolon);
  model.formulas.push_back(std::move(formula));
}

// expression name() { ... }
void Parser::named_expression(Model& model) {
  next();
  NamedExpression named;
  named.name = name("the name of the expression");
  expect(Kind::left_parenthesis, fmt::format("after '{}'", named.name.text));
  expect(Kind::right_parenthesis, "after '('");
  expect(Kind::left_brace, "before the expression");
  named.value = expression();
  if (expect(Kind::right_brace, "after the expression")) model.expressions.push_back(std::move(named));
}

// ---- Declarations

bool Parser::at_declaration() const {
  if (at_word("input")) return at(Kind::word_byte, 1) || at(Kind::word_int, 1);
  return at(Kind::word_byte) || at(Kind::word_int) || at(Kind::word_const) || at(Kind::word_channel);
}

void Parser::declaration(std::vector<Declaration>& declarations) {
  if (at(Kind::word_channel)) return channels(declarations);
  const bool constant = at(Kind::word_const) || at_word("input");
  if (constant) next();
  variables(declarations, constant);
}

void Parser::variables(std::vector<Declaration>& declarations, bool constant) {
  if (!at(Kind::word_byte) && !at(Kind::word_int)) return fail_expected("'byte' or 'int'");
  const bool byte = next().kind == Kind::word_byte;
  do {
    Declaration declared;
    VariableDecl& variable = declared.variable;
    variable.byte = byte;
    variable.constant = constant;
    variable.name = name(constant ? "the name of a constant" : "the name of a variable");
    if (accept(Kind::left_bracket)) {
      variable.size = expression();
      expect(Kind::right_bracket, "after the size of the array");
    }
    if (accept(Kind::assign)) initialiser(variable);
    declarations.push_back(std::move(declared));
  } while (accept(Kind::comma));
  expect(Kind::semicolon, "after the declaration");
}

void Parser::initialiser(VariableDecl& variable) {
  if (!accept(Kind::left_brace)) {
    variable.values.push_back(expression());
    return;
  }
  variable.braced = true;
  do variable.values.push_back(expression());
  while (accept(Kind::comma));
  expect(Kind::right_brace, "after the values");
}

// channel a, b;  channel {byte, int} c[3];
void Parser::channels(std::vector<Declaration>& declarations) {
  next();
  ChannelDecl type;
  if (accept(Kind::left_brace)) {
    type.typed = true;
    do {
      if (!at(Kind::word_byte) && !at(Kind::word_int)) return fail_expected("'byte' or 'int'");
      type.bytes.push_back(next().kind == Kind::word_byte);
    } while (accept(Kind::comma));
    expect(Kind::right_brace, "after the types of the channel");
  }
  do {
    Declaration declared;
    declared.kind = Declaration::Kind::channel;
    declared.channel.typed = type.typed;
    declared.channel.bytes = type.bytes;
    declared.channel.name = name("the name of a channel");
    if (accept(Kind::left_bracket)) {
      declared.channel.size = expression();
      expect(Kind::right_bracket, "after the size of the buffer");
    }
    declarations.push_back(std::move(declared));
  } while (accept(Kind::comma));
  expect(Kind::semicolon, "after the declaration");
}

// ---- Processes

// process P { ... }, process P(key i, j) { ... } or the instance process P(1, 2);
void Parser::process(Model& model) {
  // `process P(1);` instantiates: it has values where a template has names.
  const bool has_formals =
      at(Kind::left_parenthesis, 2) &&
      (at(Kind::right_parenthesis, 3) ? at(Kind::left_brace, 4) : at(Kind::identifier, 3));
  bool instance_follows = at(Kind::left_parenthesis, 2) && !has_formals;
  if (has_formals) {
    size_t ahead = 3;
    while (!at(Kind::right_parenthesis, ahead) && !at(Kind::end_of_file, ahead)) ++ahead;
    instance_follows = at(Kind::semicolon, ahead + 1);
  }
  if (instance_follows) return instance(model, {}, nullptr, nullptr);
  next();
  Process process;
  process.name = name("the name of a process");
  if (at(Kind::left_parenthesis)) formals(process);
  if (!expect(Kind::left_brace, fmt::format("after 'process {}'", process.name.text))) return;
  while (!at(Kind::right_brace) && !at_end() && !at(Kind::word_process) && !at(Kind::word_system)) {
    const size_t start = index();
    process_part(process);
    recover(start, Boundary::part);
    if (index() == start && !at(Kind::right_brace)) next();
  }
  if (!accept(Kind::right_brace))
    fail_expected(fmt::format("'}}' at the end of process '{}'", process.name.text));
  model.items.push_back({Model::Item::Kind::process, model.processes.size()});
  model.processes.push_back(std::move(process));
}

void Parser::formals(Process& process) {
  next();
  process.is_template = true;
  while (!at(Kind::right_parenthesis)) {
    Process::Formal formal;
    if (at_word("key") && at(Kind::identifier, 1)) {
      next();
      formal.key = true;
    }
    formal.name = name("the name of a parameter");
    process.formals.push_back(std::move(formal));
    if (!accept(Kind::comma)) break;
  }
  expect(Kind::right_parenthesis, "after the parameters");
}

void Parser::process_part(Process& process) {
  if (at_declaration()) return declaration(process.declarations);
  switch (peek().kind) {
    case Kind::word_state: next(); return names(process.states, "the name of a state", "after the states");
    case Kind::word_init:
      next();
      return names(process.initial, "the name of the initial state", "after the initial state");
    case Kind::word_accept:
      next();
      return names(process.accepting, "the name of an accepting state", "after the accepting states");
    case Kind::word_commit:
      next();
      return names(process.committed, "the name of a committed state", "after the committed states");
    case Kind::word_assert: return assertions(process);
    case Kind::word_trans: return transitions(process);
    default:
      return fail_expected("a declaration, 'state', 'init', 'commit', 'accept', 'assert', 'trans' or '}'");
  }
}

void Parser::names(std::vector<Name>& list, std::string_view what, std::string_view where) {
  do list.push_back(name(what));
  while (accept(Kind::comma));
  expect(Kind::semicolon, where);
}

// process a(1, x);
void Parser::instance(Model& model, Name loop, ExprPtr from, ExprPtr to) {
  next();
  Instance instance;
  instance.name = name("the name of a process");
  instance.loop = std::move(loop);
  instance.from = std::move(from);
  instance.to = std::move(to);
  keys(instance.values);
  if (!expect(Kind::semicolon, "after the process")) return;
  model.items.push_back({Model::Item::Kind::instance, model.instances.size()});
  model.instances.push_back(std::move(instance));
}

// for (x : 1 .. 3) { process a(x); process b(x); }
void Parser::instance_loop(Model& model) {
  next();
  expect(Kind::left_parenthesis, "after 'for'");
  Name loop = name("the name of the loop's variable");
  expect(Kind::colon, fmt::format("after '{}'", loop.text));
  const size_t from_at = index();
  ExprPtr from = expression();
  expect(Kind::dot_dot, "between the bounds");
  const size_t to_at = index();
  ExprPtr to = expression();
  expect(Kind::right_parenthesis, "after the bounds");
  expect(Kind::left_brace, "before the processes");
  while (at(Kind::word_process)) {
    // Each instance needs its own copy of the bounds, so they are parsed again for each.
    const size_t here = index();
    if (from == nullptr) {
      rewind(from_at);
      from = expression();
      rewind(to_at);
      to = expression();
      rewind(here);
    }
    instance(model, loop, std::move(from), std::move(to));
  }
  expect(Kind::right_brace, "after the processes");
}

}  // namespace strata::dve
