#include "native/code/expression_emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "ir/layout.h"
#include "ir/symmetry/reduction.h"
#include "ir/walker.h"

namespace strata::native {

using ir::Expr;
using ir::ExprOp;
using ir::Local;
using ir::Place;

static std::string literal(int64_t value) {
  if (value == INT64_MIN) return "(-9223372036854775807ll - 1)";
  return value < 0 ? fmt::format("({}ll)", value) : fmt::format("{}ll", value);
}

std::string ExpressionEmitter::expression(const Expr& e) {
  switch (e.op) {
    case ExprOp::constant: return literal(e.value);
    case ExprOp::read: return types_.is_aggregate(e.place->type) ? place(*e.place) : scalar_read(*e.place);
    case ExprOp::is_undefined: return is_undefined(*e.place);
    case ExprOp::negate:
    case ExprOp::logical_not:
    case ExprOp::bit_not: return unary(e);
    case ExprOp::logical_and: return &e == whole_ ? whole(e, "&") : chain(e, "&&");
    case ExprOp::logical_or: return &e == whole_ ? whole(e, "|") : chain(e, "||");
    case ExprOp::implies:
      return fmt::format("(!{}{} || {})", expression(*e.args[0]), marked(e), expression(*e.args[1]));
    case ExprOp::same: return same(e);
    case ExprOp::conditional:
      return fmt::format("({} ? {} : {})", expression(*e.args[0]), expression(*e.args[1]),
                         expression(*e.args[2]));
    case ExprOp::for_all:
    case ExprOp::exists: return quantified(e);
    case ExprOp::call: return defined_call(e);
    case ExprOp::in_type: return in_type(e);
    case ExprOp::multiset_count: return count(e);
    case ExprOp::less:
    case ExprOp::less_equal:
    case ExprOp::greater:
    case ExprOp::greater_equal: return comparison(e);
    case ExprOp::equal:
    case ExprOp::not_equal: return equality(e);
    default: return arithmetic(e);
  }
}

// ---- Places

std::string ExpressionEmitter::array_position(const Expr& index, ir::TypeId index_type, const Place& p) {
  const ir::ScalarType& type = types_.scalar(index_type);
  const std::string value = expression(index);
  if (type.segments.size() > 1)
    return fmt::format("enc_{}({}, {}) - {}", types_.number(index_type), value,
                       sites_.add(Site::Kind::index, p.text, index.position, index_type),
                       type.optional ? 1 : 0);
  const int64_t lo = type.segments[0].lo, hi = type.segments[0].hi;
  if (scope_.interval(index).within(lo, hi))
    return lo == 0 ? value : fmt::format("{} - {}", value, literal(lo));
  return fmt::format("ix({}, {}, {}, {})", value, literal(lo), ir::cardinality(type),
                     sites_.add(Site::Kind::index, p.text, index.position, index_type));
}

std::string ExpressionEmitter::select(std::string base, ir::TypeId& type, const ir::Selector& selector,
                                      const Place& p) {
  const ir::Type& shape = program_.types[type];
  if (!selector.index) {
    type = shape.record()->fields[selector.field].type;
    return fmt::format("{}.f{}", base, selector.field);
  }
  if (const ir::MultisetType* m = shape.multiset()) {
    type = m->element;
    const std::string name = names_.fresh("m");
    // An element of what a function returned is copied: the rest goes away.
    if (p.root == Place::Root::value)
      return fmt::format("({{ auto {0} = {1}; {0}.e[ms_slot({0}.used, {2}, {3}, {4})]; }})", name, base,
                         expression(*selector.index), m->capacity,
                         sites_.add(Site::Kind::multiset_slot, p.text, selector.index->position));
    return fmt::format("(*({{ auto&& {0} = {1}; &{0}.e[ms_slot({0}.used, {2}, {3}, {4})]; }}))", name, base,
                       expression(*selector.index), m->capacity,
                       sites_.add(Site::Kind::multiset_slot, p.text, selector.index->position));
  }
  const ir::ArrayType& array = *shape.array();
  type = array.element;
  return fmt::format("{}.e[{}]", base, array_position(*selector.index, array.index, p));
}

std::string ExpressionEmitter::place(const Place& p) {
  std::string text;
  ir::TypeId type = p.type;
  if (p.root == Place::Root::state) {
    text = fmt::format("w.v{}", p.id);
    type = program_.state[p.id].type;
  } else if (p.root == Place::Root::local) {
    text = fmt::format("l{}", p.id);
    type = scope_.locals()[p.id].type;
  } else {
    text = expression(*p.value);
    type = p.value->type;
  }
  for (const ir::Selector& s : p.path) text = select(std::move(text), type, s, p);
  return text;
}

std::string ExpressionEmitter::scalar_read(const Place& p) {
  if (scope_.holds_value(p)) return fmt::format("l{}", p.id);
  const ir::ScalarType& type = types_.scalar(p.type);
  const std::string raw = place(p);
  const bool single = type.segments.size() == 1;
  const int64_t lo = single ? type.segments[0].lo : 0;
  std::string text;
  if (type.optional)
    text = fmt::format("rd({}, {}, {})", raw, literal(lo - 1),
                       sites_.add(Site::Kind::undefined, p.text, p.position));
  else
    text = lo == 0 ? fmt::format("(i64){}", raw) : fmt::format("((i64){} + {})", raw, literal(lo));
  return single ? text : fmt::format("val_{}((u64){})", types_.number(p.type), text);
}

std::string ExpressionEmitter::is_undefined(const Place& p) {
  if (scope_.holds_value(p) || !types_.scalar(p.type).optional) return "false";
  return fmt::format("({} == 0)", place(p));
}

// A read that hands on the code of a variable, undefined or not.
bool ExpressionEmitter::is_raw(const Expr& e) const {
  return e.op == ExprOp::read && e.keep_undefined && !scope_.holds_value(*e.place) &&
         types_.scalar(e.place->type).optional;
}

bool ExpressionEmitter::may_be_undefined(const Expr& e) const {
  if (e.op == ExprOp::conditional) return may_be_undefined(*e.args[1]) || may_be_undefined(*e.args[2]);
  if (e.op == ExprOp::call) return e.keep_undefined && program_.functions[e.function].may_return_undefined;
  return e.op == ExprOp::read && e.keep_undefined && types_.scalar(e.place->type).optional;
}

std::string ExpressionEmitter::optional(const Expr& e) {
  if (!may_be_undefined(e)) return expression(e);
  if (e.op == ExprOp::call) return call(e);
  if (e.op == ExprOp::conditional)
    return fmt::format("({} ? {} : {})", expression(*e.args[0]), optional(*e.args[1]), optional(*e.args[2]));
  if (!is_raw(e)) return expression(e);
  const std::string name = names_.fresh("r");
  return fmt::format("({{ const auto {0} = {1}; {0} ? {2} : kUndefined; }})", name, place(*e.place),
                     decode_defined(e.place->type, name));
}

// ---- Codes

std::string ExpressionEmitter::encode(ir::TypeId id, const Expr& value, const std::string& target,
                                      SourcePosition position) {
  if (value.op == ExprOp::undefined) return fmt::format("({})0", types_.name(id));
  if (is_raw(value)) {
    const std::string raw = place(*value.place);
    if (types_.number(value.place->type) == types_.number(id)) return raw;
    const std::string name = names_.fresh("r");
    return fmt::format("({{ const auto {0} = {1}; !{0} ? ({2})0 : {3}; }})", name, raw, types_.name(id),
                       encode_defined(id, decode_defined(value.place->type, name), value, target, position));
  }
  if (!may_be_undefined(value)) return encode_defined(id, expression(value), value, target, position);
  const std::string name = names_.fresh("r");
  return fmt::format("({{ const i64 {0} = {1}; {0} == kUndefined ? ({2})0 : {3}; }})", name, optional(value),
                     types_.name(id), encode_defined(id, name, value, target, position));
}

// `text` is the expression of `value`.
std::string ExpressionEmitter::encode_defined(ir::TypeId id, const std::string& text, const Expr& value,
                                              const std::string& target, SourcePosition position) {
  const ir::ScalarType& type = types_.scalar(id);
  if (type.segments.size() > 1)
    return fmt::format("({})enc_{}({}, {})", types_.name(id), types_.number(id), text,
                       sites_.add(Site::Kind::range, target, position, id));
  const int64_t lo = type.segments[0].lo, hi = type.segments[0].hi;
  const uint64_t first = type.optional ? 1 : 0;
  if (scope_.interval(value).within(lo, hi)) {
    const int64_t shift = static_cast<int64_t>(first) - lo;
    return fmt::format("({})({} + {})", types_.name(id), text, literal(shift));
  }
  return fmt::format("({})enc({}, {}, {}, {}, {})", types_.name(id), text, literal(lo), literal(hi), first,
                     sites_.add(Site::Kind::range, target, position, id));
}

// The value of a raw code that is not that of "undefined".
std::string ExpressionEmitter::decode_defined(ir::TypeId id, const std::string& raw) const {
  const ir::ScalarType& type = types_.scalar(id);
  if (type.segments.size() > 1) return fmt::format("val_{}((u64){} - 1)", types_.number(id), raw);
  return fmt::format("((i64){} + {})", raw, literal(type.segments[0].lo - 1));
}

// ---- Operators

// When an operand calls a function, their order matters and C++ does not fix it: name them first.
std::string ExpressionEmitter::in_order(const Expr& a, const Expr& b, const std::string& form) {
  const std::string left = optional(a), right = optional(b);
  if (!has_call(a) && !has_call(b)) return fmt::format(fmt::runtime(form), left, right);
  const std::string x = names_.fresh("a"), y = names_.fresh("b");
  return fmt::format("({{ const i64 {} = {}; const i64 {} = {}; {}; }})", x, left, y, right,
                     fmt::format(fmt::runtime(form), x, y));
}

std::string ExpressionEmitter::arithmetic(const Expr& e) {
  const Expr &a = *e.args[0], &b = *e.args[1];
  const bool overflows = combine(e.op, scope_.interval(a), scope_.interval(b)).overflows;
  const auto checked = [&](const char* op, const char* function) {
    if (!overflows) return in_order(a, b, fmt::format("({{}} {} {{}})", op));
    return in_order(
        a, b, fmt::format("{}({{}}, {{}}, {})", function, sites_.add(Site::Kind::overflow, "", e.position)));
  };
  switch (e.op) {
    case ExprOp::add: return checked("+", "add");
    case ExprOp::subtract: return checked("-", "sub");
    case ExprOp::multiply: return checked("*", "mul");
    case ExprOp::divide:
      if (scope_.interval(b).lo > 0) return in_order(a, b, "((i64){} / (i64){})");
      return in_order(a, b,
                      fmt::format("div({{}}, {{}}, {}, {})", sites_.add(Site::Kind::division, "", e.position),
                                  sites_.add(Site::Kind::overflow, "", e.position)));
    case ExprOp::modulo:
      if (scope_.interval(b).lo > 0) return in_order(a, b, "((i64){} % (i64){})");
      return in_order(a, b,
                      fmt::format("mod({{}}, {{}}, {})", sites_.add(Site::Kind::division, "", e.position)));
    case ExprOp::shift_left: return in_order(a, b, "shl({}, {})");
    case ExprOp::shift_right: return in_order(a, b, "shr({}, {})");
    case ExprOp::bit_and: return in_order(a, b, "({} & {})");
    case ExprOp::bit_or: return in_order(a, b, "({} | {})");
    default: return in_order(a, b, "({} ^ {})");
  }
}

std::string ExpressionEmitter::unary(const Expr& e) {
  const Expr& a = *e.args[0];
  if (e.op == ExprOp::logical_not) return fmt::format("(!{})", expression(a));
  if (e.op == ExprOp::bit_not) return fmt::format("(~(i64){})", expression(a));
  if (combine(ExprOp::subtract, {0, 0}, scope_.interval(a)).overflows)
    return fmt::format("sub(0, {}, {})", expression(a), sites_.add(Site::Kind::overflow, "", e.position));
  return fmt::format("(-(i64){})", expression(a));
}

std::string ExpressionEmitter::comparison(const Expr& e) {
  static const std::map<ExprOp, const char*> kOperators = {
      {ExprOp::less, "<"}, {ExprOp::less_equal, "<="}, {ExprOp::greater, ">"}, {ExprOp::greater_equal, ">="}};
  return in_order(*e.args[0], *e.args[1], fmt::format("((i64){{}} {} (i64){{}})", kOperators.at(e.op)));
}

// Codes of one type are compared as they are, and undefined is just another code.
std::string ExpressionEmitter::equality(const Expr& e) {
  const char* op = e.op == ExprOp::equal ? "==" : "!=";
  const Expr &a = *e.args[0], &b = *e.args[1];
  if (is_raw(a) && is_raw(b) && types_.number(a.place->type) == types_.number(b.place->type) &&
      !has_call(a) && !has_call(b))
    return fmt::format("({} {} {})", place(*a.place), op, place(*b.place));
  if (is_raw(b) && !is_raw(a)) return one_sided(b, a, op);
  if (is_raw(a) && !is_raw(b)) return one_sided(a, b, op);
  return in_order(a, b, fmt::format("((i64){{}} {} (i64){{}})", op));
}

// A code compared with a value. That of undefined, read as a number, is one below the least value: no value
// of the type.
std::string ExpressionEmitter::one_sided(const Expr& code, const Expr& value, const char* op) {
  const ir::ScalarType& type = types_.scalar(code.place->type);
  const bool plain = type.segments.size() == 1 && !may_be_undefined(value) && !has_call(code) &&
                     !has_call(value) &&
                     scope_.interval(value).within(type.segments[0].lo, type.segments[0].hi);
  if (!plain) return in_order(code, value, fmt::format("((i64){{}} {} (i64){{}})", op));
  return fmt::format("({} {} (i64){})", decode_defined(code.place->type, place(*code.place)), op,
                     expression(value));
}

std::string ExpressionEmitter::same(const Expr& e) {
  const Expr &a = *e.args[0], &b = *e.args[1];
  const std::string left = expression(a), right = expression(b);
  if (!has_call(a) && !has_call(b)) return fmt::format("eq_{}({}, {})", types_.number(a.type), left, right);
  const std::string x = names_.fresh("a"), y = names_.fresh("b");
  return fmt::format("({{ const auto {} = {}; const auto {} = {}; eq_{}({}, {}); }})", x, left, y, right,
                     types_.number(a.type), x, y);
}

// a && b && c, without a nesting of brackets that compilers limit.
// From the left.
std::vector<const Expr*> ExpressionEmitter::operands(const Expr& e) {
  std::vector<const Expr*> all;
  const Expr* left = &e;
  for (; left->op == e.op; left = left->args[0].get()) all.push_back(left->args[1].get());
  all.push_back(left);
  std::reverse(all.begin(), all.end());
  return all;
}

std::string ExpressionEmitter::chain(const Expr& e, const char* op) {
  std::string text;
  for (const Expr* operand : operands(e))
    text += text.empty() ? expression(*operand) + marked(e) : fmt::format(" {} {}", op, expression(*operand));
  return "(" + text + ")";
}

std::string ExpressionEmitter::whole(const Expr& e, const char* op) {
  const std::string result = names_.fresh("b");
  std::string text;
  for (const Expr* operand : operands(e))
    text += text.empty() ? fmt::format("bool {} = {};", result, expression(*operand))
                         : fmt::format(" {} {}= (bool){};", result, op, expression(*operand));
  return fmt::format("({{ {} {}; }})", text, result);
}

// What stands behind the first operand of an implication that is marked; those after it are not evaluated
// where it is true.
std::string ExpressionEmitter::marked(const Expr& e) const {
  const auto mark = marks_.find(&e);
  return mark == marks_.end() ? "" : fmt::format(" || ({}, false)", mark->second);
}

std::string ExpressionEmitter::in_type(const Expr& e) {
  const std::string v = names_.fresh("v");
  std::string test;
  for (const ir::Segment& s : types_.scalar(e.member_type).segments)
    test += fmt::format("{}({} >= {} && {} <= {})", test.empty() ? "" : " || ", v, literal(s.lo), v,
                        literal(s.hi));
  return fmt::format("({{ const i64 {} = {}; {}; }})", v, optional(*e.args[0]), test);
}

// ---- Loops

std::string ExpressionEmitter::loop_header(const ir::Domain& d, uint32_t local, SourcePosition position) {
  scope_.bind(local, scope_.interval(d));
  if (d.type != ir::kNoType) {
    const ir::ScalarType& type = types_.scalar(d.type);
    if (type.segments.size() == 1)
      return fmt::format("for (i64 l{0} = {1}; l{0} <= {2}; ++l{0}) ", local, literal(type.segments[0].lo),
                         literal(type.segments[0].hi));
    const std::string r = names_.fresh("r");
    return fmt::format("for (u64 {0} = 0; {0} < {1}; ++{0}) if (const i64 l{2} = val_{3}({0}); true) ", r,
                       ir::cardinality(type), local, types_.number(d.type));
  }
  if (!d.by || (d.by->op == ExprOp::constant && d.by->value == 1)) {
    const std::string last = names_.fresh("n");
    // The last value may be the largest there is.
    const std::string more = names_.fresh("g");
    return fmt::format(
        "for (i64 l{0} = {1}, {2} = {3}, {4} = l{0} <= {2}; {4}; {4} = l{0} < {2}, l{0} += {4}) ", local,
        expression(*d.from), last, expression(*d.to), more);
  }
  const std::string last = names_.fresh("n"), step = names_.fresh("s");
  return fmt::format(
      "for (i64 l{0} = {1}, {2} = {3}, {4} = {5}, {4}z = {4} ? 0 : (fail({6}), 0); {4} > 0 ? l{0} <= {2} : "
      "l{0} >= {2}; "
      "l{0} = {4}z + (i64)((u64)l{0} + (u64){4})) ",
      local, expression(*d.from), last, expression(*d.to), step, expression(*d.by),
      sites_.add(Site::Kind::step, "", position));
}

// It ends at the element that decides it; unless states are reduced by the elements and another one may be an
// error, which must be found whichever of them comes first.
std::string ExpressionEmitter::quantified(const Expr& e) {
  const bool all = e.op == ExprOp::for_all;
  const std::string r = names_.fresh("q"), head = loop_header(e.domain, e.local, e.position);
  const size_t sites = sites_.size();
  const std::string test = expression(*e.args[0]);
  const bool may_fail = sites_.size() > sites || has_call(*e.args[0]);
  if (may_fail && ir::over_reduced(program_, e.domain))
    return fmt::format("({{ bool {0} = {1}; {2}{0} {3}= (bool){4}; {0}; }})", r, all ? "true" : "false", head,
                       all ? "&" : "|", test);
  return fmt::format("({{ bool {0} = {1}; {2}if ({3}{4}) {{ {0} = {5}; break; }} {0}; }})", r,
                     all ? "true" : "false", head, all ? "!" : "", test, all ? "false" : "true");
}

std::string ExpressionEmitter::count(const Expr& e) {
  const std::string m = names_.fresh("m"), n = names_.fresh("n");
  const uint64_t capacity = program_.types[e.place->type].multiset()->capacity;
  scope_.bind_slot(e.local, capacity);
  return fmt::format(
      "({{ auto&& {0} = {1}; i64 {2} = 0; for (i64 l{3} = 0; l{3} < {4}; ++l{3}) if ({0}.used[l{3}] && {5}) "
      "++{2}; {2}; }})",
      m, place(*e.place), n, e.local, capacity, expression(*e.args[0]));
}

// ---- Calls and named values

std::string ExpressionEmitter::argument(const ir::Argument& a, const Local& parameter,
                                        SourcePosition position) {
  if (a.place) return place(*a.place);
  const Expr& value = *a.value;
  if (types_.is_aggregate(parameter.type))
    return value.op == ExprOp::undefined ? types_.name(parameter.type) + "{}" : expression(value);
  return encode(parameter.type, value, parameter.name, position);
}

std::string ExpressionEmitter::call(const Expr& e) {
  const ir::Function& f = program_.functions[e.function];
  // Where an argument calls a function too, the arguments are named first, which fixes their order.
  bool calls = false;
  for (const ir::Argument& a : e.arguments) calls |= has_call(a);
  std::string named, text = fmt::format("fn{}(w", e.function);
  for (size_t i = 0; i < e.arguments.size(); ++i) {
    std::string value = argument(e.arguments[i], f.locals[i], e.position);
    if (calls && e.arguments.size() > 1) {
      const std::string name = names_.fresh("a");
      named += fmt::format("{} {} = {}; ", e.arguments[i].place ? "auto&&" : "const auto", name, value);
      value = name;
    }
    text += ", " + value;
  }
  text += ")";
  return named.empty() ? text : fmt::format("({{ {}{}; }})", named, text);
}

// A call where its result must be defined.
std::string ExpressionEmitter::defined_call(const Expr& e) {
  const ir::Function& f = program_.functions[e.function];
  if (!f.may_return_undefined) return call(e);
  return fmt::format("def({}, {})", call(e),
                     sites_.add(Site::Kind::undefined, "the result of " + f.name, e.position));
}

std::string ExpressionEmitter::named_value(uint32_t local, const Expr& value) {
  const bool aggregate = types_.is_aggregate(value.type);
  if (!aggregate) scope_.bind(local, scope_.interval(value));
  return fmt::format("const {} l{} = {};", aggregate ? types_.name(value.type) : "i64", local,
                     aggregate ? expression(value) : optional(value));
}

}  // namespace strata::native
