// Expressions are parsed with two explicit stacks (operators and operands), not with one recursive function for each
// level of precedence. So only parentheses and quantifiers cause recursion.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lang/murphi/syntax/murphi_parser_impl.h"

namespace strata::murphi {

using Kind = TokenKind;

namespace {

// Rumur's levels of precedence; CMurphi's are the same for its operators. `?:` is below all of them.
constexpr int kImplies = 1;
constexpr int kNot = 7;
constexpr int kComparison = 8;
constexpr int kSign = 12;
// A longer run of one associative operator becomes a balanced tree, so that tens of thousands of operands do not make a
// deep tree. The order of evaluation stays the same.
constexpr size_t kLongestLeftDeepRun = 64;

int binary_level(Kind kind) {
  switch (kind) {
    case Kind::implies: return kImplies;
    case Kind::or_or: return 2;
    case Kind::and_and: return 3;
    case Kind::pipe: return 4;
    case Kind::caret: return 5;
    case Kind::ampersand: return 6;
    case Kind::less:
    case Kind::less_equal:
    case Kind::equal:
    case Kind::not_equal:
    case Kind::greater_equal:
    case Kind::greater: return kComparison;
    case Kind::shift_left:
    case Kind::shift_right: return 9;
    case Kind::plus:
    case Kind::minus: return 10;
    case Kind::star:
    case Kind::slash:
    case Kind::percent: return 11;
    default: return 0;
  }
}

bool is_associative(Kind kind) {
  return kind == Kind::or_or || kind == Kind::and_and || kind == Kind::pipe || kind == Kind::caret ||
         kind == Kind::ampersand || kind == Kind::plus;
}

ExprPtr make(Expr::Kind kind) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  return expr;
}

uint32_t height_of(const Quantifier& quantifier) {
  uint32_t height = quantifier.type ? quantifier.type->height : 0;
  for (const ExprPtr* bound : {&quantifier.from, &quantifier.to, &quantifier.by}) {
    if (*bound) height = std::max(height, (*bound)->height);
  }
  return height;
}

}  // namespace

// Sets the position, the text and the height of an expression. An expression that is too tall is dropped at once,
// because even its destruction is recursive.
ExprPtr Parser::finish(ExprPtr expr, size_t first, size_t end) {
  expr->start = token(first).position;
  if (expr->position.line == 0) expr->position = expr->start;
  uint32_t tallest = expr->type ? expr->type->height : 0;
  for (const ExprPtr& arg : expr->args) tallest = std::max(tallest, arg->height);
  if (expr->quantifier) tallest = std::max(tallest, height_of(*expr->quantifier));
  expr->height = tallest + 1;
  if (expr->height > lang::kMaximumNesting) {
    fail_at(expr->position,
            fmt::format("the expression is nested too deeply: more than {} levels", lang::kMaximumNesting));
    return make(Expr::Kind::number);
  }
  expr->source = text_between(first, end);
  return expr;
}

bool Parser::at_expression() const {
  return is_name(peek().kind) ||
         at_any({Kind::number, Kind::left_parenthesis, Kind::minus, Kind::plus, Kind::not_sign, Kind::tilde,
                 Kind::word_true, Kind::word_false, Kind::word_forall, Kind::word_exists,
                 Kind::word_isundefined, Kind::word_ismember});
}

ExprPtr Parser::expression() {
  const Nesting nesting(*this);
  if (!nesting.ok()) return make(Expr::Kind::number);
  const size_t first = index();
  ExprPtr condition = operation();
  if (!accept(Kind::question)) return condition;
  ExprPtr choice = make(Expr::Kind::conditional);
  choice->args.push_back(std::move(condition));
  choice->args.push_back(expression());
  expect(Kind::colon, "between the alternatives of '?'");
  choice->args.push_back(expression());
  return finish(std::move(choice), first);
}

ExprPtr Parser::operation() {
  OperatorStack stack;
  while (true) {
    while (accept_prefix_operator(stack)) {
    }
    const size_t first = index();
    ExprPtr operand = primary();
    stack.operands.push_back({std::move(operand), first, index()});
    fold_smallest_integer(stack);
    const Operator incoming{peek().kind, binary_level(peek().kind), false, index()};
    if (incoming.level == 0 || !make_room(stack, incoming)) break;
    stack.operators.push_back(incoming);
    next();
  }
  while (!stack.operators.empty()) reduce(stack);
  return std::move(stack.operands.back().expr);
}

bool Parser::accept_prefix_operator(OperatorStack& stack) {
  if (!at_any({Kind::not_sign, Kind::minus, Kind::plus, Kind::tilde})) return false;
  stack.operators.push_back({peek().kind, at(Kind::not_sign) ? kNot : kSign, true, index()});
  next();
  return true;
}

// Reduces the operators that bind tighter than the incoming one. False: the incoming operator is not allowed here.
bool Parser::make_room(OperatorStack& stack, const Operator& incoming) {
  while (!stack.operators.empty()) {
    const Operator& top = stack.operators.back();
    if (top.level < incoming.level) return true;
    if (top.level == incoming.level) {
      if (incoming.level == kComparison) fail("comparisons cannot be chained; use '&' between them");
      if (incoming.level == kImplies) fail("'->' cannot be chained; use parentheses");
      if (panicking()) return false;
      // A run of one operator is joined when it is complete.
      if (top.kind == incoming.kind && is_associative(top.kind)) return true;
    }
    reduce(stack);
  }
  return true;
}

// 2^63 is not a 64-bit integer, but -2^63 is.
void Parser::fold_smallest_integer(OperatorStack& stack) {
  const Operand& operand = stack.operands.back();
  const bool candidate = !panicking() && operand.expr->kind == Expr::Kind::number &&
                         operand.end == operand.first + 1 && token(operand.first).value > INT64_MAX;
  if (!candidate) return;
  const bool negated = !stack.operators.empty() && stack.operators.back().prefix &&
                       stack.operators.back().kind == Kind::minus &&
                       stack.operators.back().token + 1 == operand.first;
  if (!negated) {
    return fail_at(token(operand.first).position, fmt::format("the number is too large: the largest is {}",
                                                              std::numeric_limits<int64_t>::max()));
  }
  const size_t first = stack.operators.back().token;
  stack.operators.pop_back();
  stack.operands.pop_back();
  ExprPtr number = make(Expr::Kind::number);
  number->value = std::numeric_limits<int64_t>::min();
  stack.operands.push_back({finish(std::move(number), first), first, index()});
}

void Parser::reduce(OperatorStack& stack) {
  const Operator top = stack.operators.back();
  if (top.prefix) {
    stack.operators.pop_back();
    Operand& operand = stack.operands.back();
    ExprPtr negation = make(Expr::Kind::unary);
    negation->op = spelling(top.kind);
    negation->args.push_back(std::move(operand.expr));
    operand.first = top.token;
    operand.expr = finish(std::move(negation), operand.first, operand.end);
    return;
  }
  size_t run = 1;
  const size_t count = stack.operators.size();
  while (run < count && !stack.operators[count - run - 1].prefix &&
         stack.operators[count - run - 1].kind == top.kind) {
    ++run;
  }
  const std::vector<Operator> operators(stack.operators.end() - static_cast<ptrdiff_t>(run),
                                        stack.operators.end());
  stack.operators.resize(count - run);
  std::vector<Operand> operands;
  for (auto i = stack.operands.end() - static_cast<ptrdiff_t>(run) - 1; i != stack.operands.end(); ++i) {
    operands.push_back(std::move(*i));
  }
  stack.operands.resize(stack.operands.size() - run - 1);
  stack.operands.push_back(join_run(operands, operators, 0, run));
}

// Joins the operands [from, to] by the operators between them.
Parser::Operand Parser::join_run(std::vector<Operand>& operands, const std::vector<Operator>& operators,
                                 size_t from, size_t to) {
  if (to - from > kLongestLeftDeepRun) {
    const size_t middle = from + (to - from) / 2;
    Operand left = join_run(operands, operators, from, middle);
    return join(std::move(left), operators[middle], join_run(operands, operators, middle + 1, to));
  }
  Operand joined = std::move(operands[from]);
  for (size_t i = from; i < to; ++i)
    joined = join(std::move(joined), operators[i], std::move(operands[i + 1]));
  return joined;
}

Parser::Operand Parser::join(Operand left, const Operator& op, Operand right) {
  ExprPtr expr = make(Expr::Kind::binary);
  expr->op = spelling(op.kind);
  expr->position = token(op.token).position;
  expr->args.push_back(std::move(left.expr));
  expr->args.push_back(std::move(right.expr));
  return {finish(std::move(expr), left.first, right.end), left.first, right.end};
}

ExprPtr Parser::primary() {
  if (at_word(Kind::word_multisetcount) && at_any({Kind::left_parenthesis}, 1)) return multiset_count();
  if (is_name(peek().kind)) return at_any({Kind::left_parenthesis}, 1) ? call() : designator();
  switch (peek().kind) {
    case Kind::number:
    case Kind::word_true:
    case Kind::word_false: return literal();
    case Kind::left_parenthesis: return parenthesised();
    case Kind::word_forall:
    case Kind::word_exists: return quantified();
    case Kind::word_isundefined: return is_undefined();
    case Kind::word_ismember: return is_member();
    default: fail_expected("an expression"); return make(Expr::Kind::number);
  }
}

ExprPtr Parser::literal() {
  const size_t first = index();
  const Token& token = next();
  ExprPtr expr = make(token.kind == Kind::number ? Expr::Kind::number : Expr::Kind::boolean);
  expr->value =
      token.kind == Kind::number ? static_cast<int64_t>(token.value) : token.kind == Kind::word_true;
  return finish(std::move(expr), first);
}

// A name with its fields and indices.
ExprPtr Parser::designator() {
  const size_t first = index();
  const bool undefined = at_word(Kind::word_undefined);
  ExprPtr expr = make(Expr::Kind::name);
  expr->text = name("the name of a variable").text;
  if (undefined) expr->text = "undefined";
  expr = finish(std::move(expr), first);
  while (at_any({Kind::dot, Kind::left_bracket})) {
    const bool field = next().kind == Kind::dot;
    ExprPtr part = make(field ? Expr::Kind::field : Expr::Kind::index);
    part->args.push_back(std::move(expr));
    if (field) {
      const Name field_name = name("the name of a field");
      part->text = field_name.text;
      part->name = field_name.position;
    } else {
      part->args.push_back(expression());
      expect(Kind::right_bracket, "after the index");
    }
    expr = finish(std::move(part), first);
  }
  return expr;
}

ExprPtr Parser::call() {
  const size_t first = index();
  ExprPtr expr = make(Expr::Kind::call);
  expr->text = name("the name of a function").text;
  expect(Kind::left_parenthesis, "after the name of the function");
  arguments(expr->args, Kind::right_parenthesis);
  expect(Kind::right_parenthesis, "after the arguments");
  return finish(std::move(expr), first);
}

// Expressions separated by commas, up to `close`; a comma after the last one is allowed (Rumur).
void Parser::arguments(std::vector<ExprPtr>& args, Kind close) {
  while (!at(close) && !panicking()) {
    args.push_back(expression());
    if (!accept(Kind::comma)) return;
  }
}

// Parentheses make no node, but the text and the start of the expression include them.
ExprPtr Parser::parenthesised() {
  const size_t first = index();
  next();
  ExprPtr expr = expression();
  expect(Kind::right_parenthesis, "after the expression");
  return finish(std::move(expr), first);
}

// Several quantifiers (CMurphi) become nested expressions.
ExprPtr Parser::quantified() {
  const size_t first = index();
  const Token& word = next();
  const bool all = word.kind == Kind::word_forall;
  open(all ? Kind::word_endforall : Kind::word_endexists);
  std::vector<Quantifier> bound = quantifiers();
  expect_do("after the bound variable");
  ExprPtr expr = expression();
  close(all ? "'forall'" : "'exists'", word.position);
  for (size_t i = bound.size(); i-- > 0;) {
    ExprPtr outer = make(all ? Expr::Kind::for_all : Expr::Kind::exists);
    outer->quantifier = std::make_unique<Quantifier>(std::move(bound[i]));
    outer->args.push_back(std::move(expr));
    expr = finish(std::move(outer), first);
  }
  return expr;
}

ExprPtr Parser::is_undefined() {
  const size_t first = index();
  next();
  ExprPtr expr = make(Expr::Kind::is_undefined);
  expect(Kind::left_parenthesis, "after 'isundefined'");
  expr->args.push_back(designator());
  expect(Kind::right_parenthesis, "after the variable");
  return finish(std::move(expr), first);
}

ExprPtr Parser::is_member() {
  const size_t first = index();
  next();
  ExprPtr expr = make(Expr::Kind::is_member);
  expect(Kind::left_parenthesis, "after 'ismember'");
  expr->args.push_back(expression());
  expect(Kind::comma, "after the first argument of 'ismember'");
  expr->type = type();
  expect(Kind::right_parenthesis, "after the type");
  return finish(std::move(expr), first);
}

ExprPtr Parser::multiset_count() {
  const size_t first = index();
  next();
  ExprPtr expr = make(Expr::Kind::multiset_count);
  expect(Kind::left_parenthesis, "after 'multisetcount'");
  expr->quantifier = element_quantifier();
  expr->args.push_back(designator());
  expect(Kind::comma, "after the multiset");
  expr->args.push_back(expression());
  expect(Kind::right_parenthesis, "after the condition");
  return finish(std::move(expr), first);
}

std::vector<Quantifier> Parser::quantifiers() {
  std::vector<Quantifier> quantifiers;
  quantifiers.push_back(quantifier());
  while (accept(Kind::semicolon)) {
    while (accept(Kind::semicolon)) {
    }
    quantifiers.push_back(quantifier());
  }
  return quantifiers;
}

Quantifier Parser::quantifier() {
  Quantifier quantifier;
  Name bound = declared_name("the name of a bound variable");
  quantifier.name = std::move(bound.text);
  quantifier.position = bound.position;
  if (accept(Kind::assign)) {
    quantifier.from = expression();
    expect(Kind::word_to, "after the first value");
    quantifier.to = expression();
    if (accept(Kind::word_by)) quantifier.by = expression();
  } else if (accept(Kind::colon)) {
    quantifier.type = type();
  } else {
    fail_expected("':' or ':=' after '" + quantifier.name + "'");
  }
  return quantifier;
}

// `i :` before a multiset: in choose, MultisetCount and MultisetRemovePred.
std::unique_ptr<Quantifier> Parser::element_quantifier() {
  auto quantifier = std::make_unique<Quantifier>();
  Name bound = declared_name("the name of an element");
  expect(Kind::colon, "after the name of the element");
  quantifier->name = std::move(bound.text);
  quantifier->position = bound.position;
  return quantifier;
}

}  // namespace strata::murphi
