#include "native/analysis/dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "native/analysis/interval.h"
#include "native/analysis/uses.h"

namespace strata::native {

namespace {

using ir::Binding;
using ir::Expr;
using ir::ExprOp;
using ir::Place;

// The first parameter of a rule, when it runs over a type of one segment.
const Binding* first_parameter(const ir::Program& program, const ir::Rule& rule) {
  if (rule.bindings.empty()) return nullptr;
  const Binding& first = rule.bindings.front();
  if (first.kind != Binding::Kind::parameter || first.domain.type == ir::kNoType) return nullptr;
  return program.types[first.domain.type].scalar()->segments.size() == 1 ? &first : nullptr;
}

// The place as text that is the same for the same place in all rules; none when it has another index than the
// parameter, or one that might lie outside.
std::optional<std::string> place_key(const ir::Program& program, const Place& place,
                                     const Binding* parameter) {
  if (place.root != Place::Root::state) return {};
  const ir::ScalarType* held = program.types[place.type].scalar();
  if (held == nullptr || held->segments.size() != 1) return {};
  std::string key =
      fmt::format("{} {}", parameter == nullptr ? ir::kNoType : parameter->domain.type, place.id);
  ir::TypeId type = program.state[place.id].type;
  for (const ir::Selector& selector : place.path) {
    const ir::Type& shape = program.types[type];
    if (!selector.index) {
      type = shape.record()->fields[selector.field].type;
      key += fmt::format(".{}", selector.field);
      continue;
    }
    const ir::ArrayType* array = shape.array();
    const Expr& index = *selector.index;
    if (array == nullptr || parameter == nullptr || index.op != ExprOp::read ||
        index.place->root != Place::Root::local || index.place->id != parameter->local ||
        !index.place->path.empty()) {
      return {};
    }
    const ir::ScalarType& indexed = *program.types[array->index].scalar();
    const Interval range = type_interval(program, parameter->domain.type);
    if (indexed.segments.size() != 1 || !range.within(indexed.segments[0].lo, indexed.segments[0].hi))
      return {};
    type = array->element;
    key += "[]";
  }
  // With a parameter that is not in the place, the test stands outside the parameter's loop: it has a key of its own.
  if (parameter != nullptr && key.find('[') == std::string::npos) return place_key(program, place, nullptr);
  return key;
}

// A condition as "this place has one of these values".
struct Test {
  const Place* place = nullptr;
  std::string key;
  std::vector<int64_t> values;
};

class Reader {
 public:
  Reader(const ir::Program& program, const Binding* parameter) : program_(program), parameter_(parameter) {}

  std::optional<Test> test(const Expr& e) const {
    switch (e.op) {
      case ExprOp::read: return one_value(e, 1);
      case ExprOp::logical_not: return one_value(*e.args[0], 0);
      case ExprOp::equal:
        return e.args[0]->op == ExprOp::constant ? equality(*e.args[1], *e.args[0])
                                                 : equality(*e.args[0], *e.args[1]);
      case ExprOp::logical_or: return either(e);
      default: return {};
    }
  }

 private:
  std::optional<Test> one_value(const Expr& read, int64_t value) const {
    if (read.op != ExprOp::read) return {};
    std::optional<std::string> key = place_key(program_, *read.place, parameter_);
    if (!key) return {};
    return Test{read.place.get(), std::move(*key), {value}};
  }
  std::optional<Test> equality(const Expr& read, const Expr& constant) const {
    if (constant.op != ExprOp::constant) return {};
    return one_value(read, constant.value);
  }
  // A long chain leans to the left, so it is followed there without recursion.
  std::optional<Test> either(const Expr& e) const {
    std::optional<Test> all;
    for (const Expr* rest = &e; rest != nullptr;) {
      const bool more = rest->op == ExprOp::logical_or;
      std::optional<Test> one = test(more ? *rest->args[1] : *rest);
      if (!one || (all && all->key != one->key)) return {};
      if (!all) {
        all = std::move(one);
      } else {
        all->values.insert(all->values.end(), one->values.begin(), one->values.end());
        all->place = one->place;
      }
      rest = more ? rest->args[0].get() : nullptr;
    }
    return all;
  }

  const ir::Program& program_;
  const Binding* parameter_;
};

// What the guard tests first. Only that decides without changing which errors a guard can meet.
std::optional<Test> first_test(const ir::Program& program, const ir::Rule& rule) {
  const Binding* parameter = first_parameter(program, rule);
  if (!rule.guard || rule.otherwise) return {};
  const Expr* first = rule.guard.get();
  while (first->op == ExprOp::logical_and) first = first->args[0].get();
  return Reader(program, parameter).test(*first);
}

}  // namespace

std::vector<Dispatch> find_dispatches(const ir::Program& program) {
  std::map<std::string, Dispatch> by_key;
  for (uint32_t i = 0; i < program.rules.size(); ++i) {
    std::optional<Test> test = first_test(program, program.rules[i]);
    if (!test) continue;
    std::sort(test->values.begin(), test->values.end());
    test->values.erase(std::unique(test->values.begin(), test->values.end()), test->values.end());
    // Rules of different priorities are tried apart.
    Dispatch& dispatch = by_key[fmt::format("{} {}", program.rules[i].priority, test->key)];
    if (dispatch.place == nullptr) dispatch.place = test->place;
    dispatch.by_parameter = test->key.find('[') != std::string::npos;
    dispatch.rules.push_back({i, std::move(test->values)});
  }
  std::vector<Dispatch> dispatches;
  for (auto& [key, dispatch] : by_key)
    if (dispatch.rules.size() > 1) dispatches.push_back(std::move(dispatch));
  return dispatches;
}

DispatchTable::DispatchTable(const ir::Program& program)
    : dispatches_(has_changing_guards(program) ? std::vector<Dispatch>() : find_dispatches(program)),
      numbers_(program.rules.size()) {
  for (size_t i = 0; i < dispatches_.size(); ++i)
    for (const DispatchedRule& rule : dispatches_[i].rules) numbers_[rule.rule] = i;
}

}  // namespace strata::native
