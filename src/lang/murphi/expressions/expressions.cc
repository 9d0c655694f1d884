#include "lang/murphi/expressions/expressions.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "ir/fold.h"
#include "lang/common/message_text.h"
#include "lang/murphi/expressions/undefined.h"

namespace strata::murphi {
namespace {

using ir::ExprOp;

ir::ExprPtr lower_is_undefined(Context& context, const Expr& expression) {
  const Expr& argument = *expression.args[0];
  Designator designator = lower_designator(context, argument);
  if (!designator) return nullptr;
  if (designator.place == nullptr || !designator.variable) {
    context.error(argument.start, fmt::format("isundefined needs a variable, not {}", quoted(argument)));
    return nullptr;
  }
  ir::TypeId type = designator.place->type;
  if (!context.types.is_scalar(type)) {
    context.error(argument.start, fmt::format("isundefined needs a scalar, but {} has type {}",
                                              quoted(argument), context.types.name(type)));
    return nullptr;
  }
  bool iterator = designator.immutable_local &&
                  context.callable.locals[designator.place->id].kind == ir::Local::Kind::iterator;
  if (iterator) return ir::make_constant(0, ir::kBoolean, expression.position);
  ir::ExprPtr result = ir::make_expression(ExprOp::is_undefined, ir::kBoolean, expression.position);
  result->place = std::move(designator.place);
  return result;
}

ir::ExprPtr lower_is_member(Context& context, const Expr& expression) {
  const Expr& argument = *expression.args[0];
  ir::ExprPtr value = lower_expression(context, argument);
  ir::TypeId type = lower_type(context, *expression.type);
  if (value == nullptr || type == ir::kNoType) return nullptr;
  if (!require_scalar_type(context, type, expression.type->position, "the type in ismember")) return nullptr;
  if (!context.types.compatible(value->type, type)) {
    context.error(argument.start, fmt::format("{} of type {} can never be a member of {}", quoted(argument),
                                              context.types.name(value->type), context.types.name(type)));
    return nullptr;
  }
  allow_undefined(context, *value, ValueUse::compared);
  ir::ExprPtr result = ir::make_expression(ExprOp::in_type, ir::kBoolean, expression.position);
  result->args.push_back(std::move(value));
  result->member_type = type;
  return result;
}

ir::ExprPtr lower_quantified(Context& context, const Expr& expression) {
  bool all = expression.kind == Expr::Kind::for_all;
  ScopeGuard scope(context.scopes);
  std::optional<Iteration> iteration = lower_quantifier(context, *expression.quantifier, false);
  ir::ExprPtr body =
      lower_condition(context, *expression.args[0], all ? "the body of 'forall'" : "the body of 'exists'");
  if (!iteration || body == nullptr) return nullptr;
  ir::ExprPtr result =
      ir::make_expression(all ? ExprOp::for_all : ExprOp::exists, ir::kBoolean, expression.position);
  result->local = iteration->local;
  result->domain = std::move(iteration->domain);
  result->args.push_back(std::move(body));
  return result;
}

ir::ExprPtr lower_multiset_count(Context& context, const Expr& expression) {
  std::unique_ptr<ir::Place> place = lower_multiset(context, *expression.args[0], "MultisetCount", false);
  ScopeGuard scope(context.scopes);
  uint32_t local =
      declare_slot(context, *expression.quantifier, place == nullptr ? ir::kNoType : place->type);
  ir::ExprPtr body = lower_condition(context, *expression.args[1], "the condition of MultisetCount");
  if (place == nullptr || body == nullptr) return nullptr;
  ir::ExprPtr result = ir::make_expression(ExprOp::multiset_count, ir::kInteger, expression.position);
  result->place = std::move(place);
  result->local = local;
  result->args.push_back(std::move(body));
  return result;
}

}  // namespace

std::string quoted(const Expr& expression) {
  constexpr size_t kLongest = 50;
  const std::string& text = expression.source.empty() ? expression.text : expression.source;
  return fmt::format("'{}'", text.size() > kLongest ? lang::cut(text, kLongest - 3) : text);
}

bool is_undefined_literal(const Context& context, const Expr& expression) {
  constexpr std::string_view kWord = "undefined";
  if (expression.kind != Expr::Kind::name || expression.text.size() != kWord.size()) return false;
  for (size_t i = 0; i < kWord.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(expression.text[i])) != kWord[i]) return false;
  }
  return context.scopes.find(expression.text) == nullptr;
}

ir::ExprPtr lower_expression(Context& context, const Expr& expression) {
  switch (expression.kind) {
    case Expr::Kind::number: return ir::make_constant(expression.value, ir::kInteger, expression.position);
    case Expr::Kind::boolean: return ir::make_constant(expression.value, ir::kBoolean, expression.position);
    case Expr::Kind::name:
    case Expr::Kind::field:
    case Expr::Kind::index: return read_designator(lower_designator(context, expression), expression);
    case Expr::Kind::call:
      return lower_call(context, expression.text, expression.args, expression.position, false);
    case Expr::Kind::unary: return lower_unary(context, expression);
    case Expr::Kind::binary: return lower_binary(context, expression);
    case Expr::Kind::conditional: return lower_conditional(context, expression);
    case Expr::Kind::for_all:
    case Expr::Kind::exists: return lower_quantified(context, expression);
    case Expr::Kind::is_undefined: return lower_is_undefined(context, expression);
    case Expr::Kind::is_member: return lower_is_member(context, expression);
    case Expr::Kind::multiset_count: return lower_multiset_count(context, expression);
  }
  return nullptr;
}

ir::ExprPtr lower_condition(Context& context, const Expr& expression, const std::string& what) {
  ir::ExprPtr value = lower_expression(context, expression);
  if (value == nullptr || value->type == ir::kBoolean) return value;
  context.error(expression.start, fmt::format("{} must be a boolean, but {} has type {}", what,
                                              quoted(expression), context.types.name(value->type)));
  return nullptr;
}

ir::ExprPtr lower_integer(Context& context, const Expr& expression, const std::string& what) {
  return require_integer(context, lower_expression(context, expression), expression, what);
}

ir::ExprPtr require_integer(Context& context, ir::ExprPtr value, const Expr& expression,
                            const std::string& what) {
  if (value == nullptr || context.types.is_integer(value->type)) return value;
  context.error(expression.start, fmt::format("{} must be an integer, but {} has type {}", what,
                                              quoted(expression), context.types.name(value->type)));
  return nullptr;
}

std::optional<int64_t> lower_constant_integer(Context& context, const Expr& expression,
                                              const std::string& what) {
  ir::ExprPtr value = lower_integer(context, expression, what);
  if (value == nullptr) return std::nullopt;
  ir::Folded folded = ir::fold(*value);
  if (folded.value) return folded.value;
  if (folded.problem.empty()) {
    context.error(expression.start,
                  fmt::format("{} must be a constant, but {} is not", what, quoted(expression)));
  } else {
    context.error(folded.position, folded.problem + " in a constant");
  }
  return std::nullopt;
}

}  // namespace strata::murphi
