// Expressions, by precedence climbing. By rising precedence: imply; or; and; |; ^; &; == !=; < <= > >=; << >>; - +;
// / * %; then the unary operators - ~ not !. All binary operators group to the left.
#include <algorithm>
#include <optional>

#include "lang/dve/syntax/dve_parser.h"
#include "lang/dve/syntax/dve_parser_impl.h"

namespace strata::dve {
namespace {

using Kind = TokenKind;

struct Binary {
  Op op;
  int level;
};

std::optional<Binary> binary_operator(Kind kind) {
  switch (kind) {
    case Kind::word_imply: return Binary{Op::imply, 0};
    case Kind::or_or: return Binary{Op::logical_or, 1};
    case Kind::and_and: return Binary{Op::logical_and, 2};
    case Kind::pipe: return Binary{Op::bit_or, 3};
    case Kind::caret: return Binary{Op::bit_xor, 4};
    case Kind::ampersand: return Binary{Op::bit_and, 5};
    case Kind::equal: return Binary{Op::equal, 6};
    case Kind::not_equal: return Binary{Op::not_equal, 6};
    case Kind::less: return Binary{Op::less, 7};
    case Kind::less_equal: return Binary{Op::less_equal, 7};
    case Kind::greater: return Binary{Op::greater, 7};
    case Kind::greater_equal: return Binary{Op::greater_equal, 7};
    case Kind::shift_left: return Binary{Op::shift_left, 8};
    case Kind::shift_right: return Binary{Op::shift_right, 8};
    case Kind::minus: return Binary{Op::subtract, 9};
    case Kind::plus: return Binary{Op::add, 9};
    case Kind::slash: return Binary{Op::divide, 10};
    case Kind::star: return Binary{Op::multiply, 10};
    case Kind::percent: return Binary{Op::modulo, 10};
    default: return std::nullopt;
  }
}

std::optional<Op> unary_operator(Kind kind) {
  switch (kind) {
    case Kind::minus: return Op::negate;
    case Kind::tilde: return Op::bit_not;
    case Kind::not_word:
    case Kind::exclamation: return Op::logical_not;
    default: return std::nullopt;
  }
}

}  // namespace

ExprPtr Parser::lone_expression() {
  ExprPtr result = expression();
  if (!at_end()) fail_expected("the end of the expression");
  return result;
}

ExprPtr Parser::finish(ExprPtr expr, size_t first) {
  expr->start = token(first).position;
  if (expr->kind >= Expr::Kind::name && expr->kind <= Expr::Kind::variable)
    expr->text = text_between(first, index());
  for (const ExprPtr& argument : expr->args)
    if (argument != nullptr) expr->depth = std::max(expr->depth, argument->depth + 1);
  if (expr->depth > lang::kMaximumNesting && !panicking()) fail_too_deep(expr->position);
  return expr;
}

ExprPtr Parser::expression(int level) {
  const Nesting nesting(*this);
  const size_t first = index();
  ExprPtr left = unary();
  for (;;) {
    const std::optional<Binary> binary = binary_operator(peek().kind);
    if (!binary || binary->level < level) break;
    auto joined = std::make_unique<Expr>();
    joined->kind = Expr::Kind::binary;
    joined->op = binary->op;
    joined->position = next().position;
    joined->args.push_back(std::move(left));
    joined->args.push_back(expression(binary->level + 1));
    left = finish(std::move(joined), first);
  }
  return left;
}

ExprPtr Parser::unary() {
  const size_t first = index();
  const std::optional<Op> op = unary_operator(peek().kind);
  if (!op) return primary();
  const Nesting nesting(*this);
  auto result = std::make_unique<Expr>();
  result->kind = Expr::Kind::unary;
  result->op = *op;
  result->position = next().position;
  result->args.push_back(unary());
  return finish(std::move(result), first);
}

ExprPtr Parser::primary() {
  const size_t first = index();
  auto result = std::make_unique<Expr>();
  result->position = peek().position;
  switch (peek().kind) {
    case Kind::number: result->value = static_cast<int64_t>(next().value); break;
    case Kind::word_true:
    case Kind::word_false: result->value = next().kind == Kind::word_true ? 1 : 0; break;
    case Kind::left_parenthesis:
      next();
      result = expression();
      expect(Kind::right_parenthesis, "after the expression");
      result->start = token(first).position;
      return result;
    case Kind::identifier: return reference();
    default: fail_expected("an expression"); break;
  }
  return finish(std::move(result), first);
}

// x, x[i], P.state, P->x, P->x[i], P(1).state, P(1)->x
ExprPtr Parser::reference() {
  const size_t first = index();
  auto result = std::make_unique<Expr>();
  result->position = result->name_position = peek().position;
  result->kind = Expr::Kind::name;
  result->name = std::string(text(next()));
  if (at(Kind::left_parenthesis)) {
    result->keyed = true;
    keys(result->keys);
    if (!at(Kind::dot) && !at(Kind::arrow)) fail_expected("'.' or '->' after the process");
  }
  if (at(Kind::dot) || at(Kind::arrow)) {
    const bool state = next().kind == Kind::dot;
    result->kind = state ? Expr::Kind::state : Expr::Kind::variable;
    result->process = std::move(result->name);
    Name member = name(state ? "the name of a state" : "the name of a variable");
    result->name = std::move(member.text);
    result->name_position = member.position;
  }
  if (result->kind != Expr::Kind::state) optional_index(*result);
  return finish(std::move(result), first);
}

void Parser::optional_index(Expr& reference) {
  if (!accept(Kind::left_bracket)) return;
  reference.args.push_back(expression());
  expect(Kind::right_bracket, "after the index");
}

// (1, x)
void Parser::keys(std::vector<ExprPtr>& list) {
  expect(Kind::left_parenthesis, "before the values");
  if (accept(Kind::right_parenthesis)) return;
  do list.push_back(expression());
  while (accept(Kind::comma));
  expect(Kind::right_parenthesis, "after the values");
}

}  // namespace strata::dve
