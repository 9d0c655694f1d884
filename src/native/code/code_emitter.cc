#include "native/code/code_emitter.h"

#include <fmt/format.h>

#include "native/code/expression_emitter.h"

namespace strata::native {

using ir::Expr;
using ir::ExprOp;

bool CodeEmitter::hands_on_code(const Expr& e) const {
  return e.op == ExprOp::read && e.keep_undefined && !context_.scope.holds_value(*e.place) &&
         context_.types.scalar(e.place->type).optional;
}

bool CodeEmitter::may_be_undefined(const Expr& e) const {
  if (e.op == ExprOp::conditional) return may_be_undefined(*e.args[1]) || may_be_undefined(*e.args[2]);
  if (e.op == ExprOp::call)
    return e.keep_undefined && context_.program.functions[e.function].may_return_undefined;
  return e.op == ExprOp::read && e.keep_undefined && context_.types.scalar(e.place->type).optional;
}

std::string CodeEmitter::optional(const Expr& e) {
  if (!may_be_undefined(e)) return expressions_.expression(e);
  if (e.op == ExprOp::call) return expressions_.call(e);
  if (e.op == ExprOp::conditional)
    return fmt::format("({} ? {} : {})", expressions_.expression(*e.args[0]), optional(*e.args[1]),
                       optional(*e.args[2]));
  if (!hands_on_code(e)) return expressions_.expression(e);
  const std::string name = context_.out.names.fresh("r");
  return context_.out.target.sequence(
      fmt::format("const auto {} = {};", name, expressions_.code(*e.place)),
      fmt::format("{0} ? {1} : kUndefined", name, decode_defined(e.place->type, name)));
}

std::string CodeEmitter::encode(ir::TypeId id, const Expr& value, const std::string& target,
                                SourcePosition position) {
  const CppTypes& types = context_.types;
  if (value.op == ExprOp::undefined) return fmt::format("({})0", types.name(id));
  if (hands_on_code(value)) {
    const std::string code = expressions_.code(*value.place);
    if (types.number(value.place->type) == types.number(id)) return code;
    const std::string name = context_.out.names.fresh("r");
    const std::string defined =
        encode_defined(id, decode_defined(value.place->type, name), value, target, position);
    return context_.out.target.sequence(fmt::format("const auto {} = {};", name, code),
                                        fmt::format("!{} ? ({})0 : {}", name, types.name(id), defined));
  }
  if (!may_be_undefined(value))
    return encode_defined(id, expressions_.expression(value), value, target, position);
  const std::string name = context_.out.names.fresh("r"), text = optional(value);
  return context_.out.target.sequence(fmt::format("const i64 {} = {};", name, text),
                                      fmt::format("{} == kUndefined ? ({})0 : {}", name, types.name(id),
                                                  encode_defined(id, name, value, target, position)));
}

// `text` is the expression of `value`.
std::string CodeEmitter::encode_defined(ir::TypeId id, const std::string& text, const Expr& value,
                                        const std::string& target, SourcePosition position) {
  const ir::ScalarType& type = context_.types.scalar(id);
  const std::string name = context_.types.name(id);
  const auto site = [&] { return context_.out.sites.add(Site::Kind::range, target, position, id); };
  if (type.segments.size() > 1)
    return fmt::format(
        "({}){}", name,
        context_.out.target.checked(fmt::format("encode_{}", context_.types.number(id)), text, site()));
  const int64_t lo = type.segments[0].lo, hi = type.segments[0].hi;
  const uint64_t first = type.optional ? 1 : 0;
  if (context_.scope.interval(value).within(lo, hi))
    return fmt::format("({})({} + {})", name, text, literal(static_cast<int64_t>(first) - lo));
  const std::string arguments = fmt::format("{}, {}, {}, {}", text, literal(lo), literal(hi), first);
  return fmt::format("({}){}", name, context_.out.target.checked("encode", arguments, site()));
}

std::string CodeEmitter::decode_defined(ir::TypeId id, const std::string& code) const {
  const ir::ScalarType& type = context_.types.scalar(id);
  if (type.segments.size() > 1) return fmt::format("value_{}((u64){} - 1)", context_.types.number(id), code);
  return fmt::format("((i64){} + {})", code, literal(type.segments[0].lo - 1));
}

}  // namespace strata::native
