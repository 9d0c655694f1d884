#include "native/code/place_emitter.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "native/code/expression_emitter.h"

namespace strata::native {

using ir::Expr;
using ir::Place;

// What a place is selected from, and its type.
std::string PlaceEmitter::root(const Place& p, ir::TypeId& type) {
  if (p.root == Place::Root::state) {
    type = context_.program.state[p.id].type;
    return context_.out.form.variable(context_.program, p.id);
  }
  if (p.root == Place::Root::local) {
    type = context_.scope.locals()[p.id].type;
    return fmt::format("l{}", p.id);
  }
  type = p.value->type;
  const std::string value = expressions_.expression(*p.value);
  return p.path.empty() ? value : context_.out.form.in_value(context_.types, type, value);
}

std::string PlaceEmitter::place(const Place& p) {
  ir::TypeId type = p.type;
  std::string text = root(p, type);
  for (const ir::Selector& s : p.path) text = select(text, type, s, p);
  return text;
}

std::string PlaceEmitter::select(const std::string& base, ir::TypeId& type, const ir::Selector& selector,
                                 const Place& p) {
  const ir::Type& shape = context_.program.types[type];
  if (!selector.index) {
    type = shape.record()->fields[selector.field].type;
    return context_.out.form.field(base, selector.field);
  }
  if (const ir::MultisetType* m = shape.multiset()) {
    type = m->element;
    return slot(base, *m, selector, p);
  }
  const ir::ArrayType& array = *shape.array();
  type = array.element;
  return context_.out.form.element(base, array_position(*selector.index, array.index, p));
}

std::string PlaceEmitter::slot(const std::string& base, const ir::MultisetType& multiset,
                               const ir::Selector& selector, const Place& p) {
  const Target& target = context_.out.target;
  const PlaceForm& form = context_.out.form;
  const std::string name = context_.out.names.fresh("m"), slot = expressions_.expression(*selector.index);
  const uint32_t site = context_.out.sites.add(Site::Kind::multiset_slot, p.text, selector.index->position);
  const std::string position =
      form.is_packed()
          ? target.checked("slot_of", fmt::format("{}.count(), {}", name, slot), site)
          : target.checked("used_slot", fmt::format("{}.used, {}, {}", name, slot, multiset.capacity), site);
  const std::string element = form.element(name, position);
  if (form.is_packed()) return target.sequence(fmt::format("auto&& {} = {};", name, base), element);
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

// Whether a device chooses an element of this array by comparing its position with all.
bool PlaceEmitter::chooses(const ir::ArrayType* array, const Expr& index) const {
  return array != nullptr && !context_.out.form.is_packed() && index.op != ir::ExprOp::constant &&
         context_.out.target.chooses_elements(ir::cardinality(context_.types.scalar(array->index)));
}

// An expression for what is done with the place that the selectors from `first` on lead to from `base`. From the first
// element that has to be chosen on, it is done in a function that gets the element.
std::string PlaceEmitter::through(const Place& p, size_t first, std::string base, ir::TypeId type,
                                  const Use& use) {
  for (size_t i = first; i < p.path.size(); ++i) {
    const ir::ArrayType* array = context_.program.types[type].array();
    if (p.path[i].index && chooses(array, *p.path[i].index)) {
      const std::string position = array_position(*p.path[i].index, array->index, p);
      if (use.element && i + 1 == p.path.size()) return use.element(base + ".e", position);
      const std::string name = context_.out.names.fresh("x");
      return fmt::format("with_element({}.e, {}, [&](auto& {}) {{ return {}; }})", base, position, name,
                         through(p, i + 1, name, array->element, use));
    }
    base = select(base, type, p.path[i], p);
  }
  return use.place(base, first > 0);
}

std::string PlaceEmitter::with_place(const Place& p, const Use& use) {
  if (p.root == Place::Root::value) return use.place(place(p), false);
  ir::TypeId type;
  const std::string text = root(p, type);
  return through(p, 0, text, type, use);
}

std::string PlaceEmitter::code(const Place& p) {
  const auto place = [](const std::string& text, bool) { return text; };
  const auto element = [](const std::string& array, const std::string& position) {
    return fmt::format("element({}, {})", array, position);
  };
  return with_place(p, {place, element});
}

std::string PlaceEmitter::assign(const Place& p, const std::string& code) {
  const std::string name = context_.out.names.fresh("c");
  bool is_chosen = false;
  Use use;
  use.place = [&](const std::string& place, bool chosen) {
    is_chosen = chosen;
    return chosen ? fmt::format("(void)({} = {})", place, name) : fmt::format("{} = {}", place, code);
  };
  if (!context_.types.is_aggregate(p.type))
    use.element = [&](const std::string& array, const std::string& position) {
      is_chosen = true;
      return fmt::format("set_element({}, {}, {})", array, position, name);
    };
  const std::string text = with_place(p, use);
  if (!is_chosen) return text + ";";
  return fmt::format("{{ const {} {} = {}; {}; }}", context_.types.name(p.type), name, code, text);
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
