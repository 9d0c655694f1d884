#include "native/code/place_emitter.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "native/code/expression_emitter.h"

namespace strata::native {

using ir::Expr;
using ir::Place;

std::string PlaceEmitter::place(const Place& p) {
  std::string text;
  ir::TypeId type = p.type;
  if (p.root == Place::Root::state) {
    text = "state." + member_name(context_.program, p.id);
    type = context_.program.state[p.id].type;
  } else if (p.root == Place::Root::local) {
    text = fmt::format("l{}", p.id);
    type = context_.scope.locals()[p.id].type;
  } else {
    text = expressions_.expression(*p.value);
    type = p.value->type;
  }
  for (const ir::Selector& s : p.path) text = select(text, type, s, p);
  return text;
}

std::string PlaceEmitter::select(const std::string& base, ir::TypeId& type, const ir::Selector& selector,
                                 const Place& p) {
  const ir::Type& shape = context_.program.types[type];
  if (!selector.index) {
    type = shape.record()->fields[selector.field].type;
    return fmt::format("{}.f{}", base, selector.field);
  }
  if (const ir::MultisetType* m = shape.multiset()) {
    type = m->element;
    return slot(base, *m, selector, p);
  }
  const ir::ArrayType& array = *shape.array();
  type = array.element;
  return fmt::format("{}.e[{}]", base, array_position(*selector.index, array.index, p));
}

std::string PlaceEmitter::slot(const std::string& base, const ir::MultisetType& multiset,
                               const ir::Selector& selector, const Place& p) {
  const Target& target = context_.out.target;
  const std::string name = context_.out.names.fresh("m");
  const std::string arguments =
      fmt::format("{}.used, {}, {}", name, expressions_.expression(*selector.index), multiset.capacity);
  const std::string element = fmt::format(
      "{}.e[{}]", name,
      target.checked("used_slot", arguments,
                     context_.out.sites.add(Site::Kind::multiset_slot, p.text, selector.index->position)));
  // An element of what a function returned is copied: the rest goes away.
  if (p.root == Place::Root::value) return target.sequence(fmt::format("auto {} = {};", name, base), element);
  return fmt::format("(*{})", target.sequence(fmt::format("auto&& {} = {};", name, base), "&" + element));
}

std::string PlaceEmitter::array_position(const Expr& index, ir::TypeId index_type, const Place& p) {
  const ir::ScalarType& type = context_.types.scalar(index_type);
  const std::string value = expressions_.expression(index);
  const auto site = [&] {
    return context_.out.sites.add(Site::Kind::index, p.text, index.position, index_type);
  };
  if (type.segments.size() > 1)
    return fmt::format("{} - {}",
                       context_.out.target.checked(
                           fmt::format("encode_{}", context_.types.number(index_type)), value, site()),
                       type.optional ? 1 : 0);
  const int64_t lo = type.segments[0].lo, hi = type.segments[0].hi;
  if (context_.scope.interval(index).within(lo, hi))
    return lo == 0 ? value : fmt::format("{} - {}", value, literal(lo));
  return context_.out.target.checked(
      "index_of", fmt::format("{}, {}, {}", value, literal(lo), ir::cardinality(type)), site());
}

// The array and the position of a scalar that a device chooses among the elements of the array.
std::optional<std::pair<std::string, std::string>> PlaceEmitter::chosen(const Place& p) {
  if (p.path.empty() || p.root == Place::Root::value || !p.path.back().index) return {};
  const Expr& index = *p.path.back().index;
  ir::TypeId type =
      p.root == Place::Root::state ? context_.program.state[p.id].type : context_.scope.locals()[p.id].type;
  for (size_t i = 0; i < p.path.size(); ++i) {
    const ir::Type& shape = context_.program.types[type];
    const ir::ArrayType* array = shape.array();
    if (i + 1 == p.path.size()) {
      if (array == nullptr || index.op == ir::ExprOp::constant ||
          !context_.out.target.chooses_elements(ir::cardinality(context_.types.scalar(array->index))))
        return {};
      break;
    }
    if (p.path[i].index)
      type = array != nullptr ? array->element : shape.multiset()->element;
    else
      type = shape.record()->fields[p.path[i].field].type;
  }
  std::string base = p.root == Place::Root::state ? "state." + member_name(context_.program, p.id)
                                                  : fmt::format("l{}", p.id);
  type =
      p.root == Place::Root::state ? context_.program.state[p.id].type : context_.scope.locals()[p.id].type;
  for (size_t i = 0; i + 1 < p.path.size(); ++i) base = select(base, type, p.path[i], p);
  const ir::ArrayType& array = *context_.program.types[type].array();
  return std::pair(base + ".e", array_position(index, array.index, p));
}

std::string PlaceEmitter::code(const Place& p) {
  const auto element = chosen(p);
  return element ? fmt::format("element({}, {})", element->first, element->second) : place(p);
}

std::string PlaceEmitter::assign(const Place& p, const std::string& code) {
  if (const auto element = chosen(p))
    return fmt::format("set_element({}, {}, {});", element->first, element->second, code);
  return fmt::format("{} = {};", place(p), code);
}

std::string PlaceEmitter::read(const Place& p) {
  if (context_.scope.holds_value(p)) return fmt::format("l{}", p.id);
  const ir::ScalarType& type = context_.types.scalar(p.type);
  const std::string code = this->code(p);
  const bool single = type.segments.size() == 1;
  const int64_t lo = single ? type.segments[0].lo : 0;
  std::string text;
  if (type.optional)
    text = context_.out.target.checked("read", fmt::format("{}, {}", code, literal(lo - 1)),
                                       context_.out.sites.add(Site::Kind::undefined, p.text, p.position));
  else
    text = lo == 0 ? fmt::format("(i64){}", code) : fmt::format("((i64){} + {})", code, literal(lo));
  return single ? text : fmt::format("value_{}((u64){})", context_.types.number(p.type), text);
}

std::string PlaceEmitter::is_undefined(const Place& p) {
  if (context_.scope.holds_value(p) || !context_.types.scalar(p.type).optional) return "false";
  return fmt::format("({} == 0)", code(p));
}

}  // namespace strata::native
