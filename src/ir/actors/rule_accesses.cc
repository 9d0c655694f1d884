#include "ir/actors/rule_accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/walker.h"

namespace strata::ir {
namespace {

// A place up to its second index.
struct Area {
  RuleAccess access;      // without `write`
  TypeId type = kNoType;  // none behind the second index
};

// What the locals of a callable stand for: parameters of the rule, by their numbers, and places of the state.
struct Names {
  std::map<uint32_t, uint32_t> parameters;
  std::map<uint32_t, Area> places;
};

bool is_parameter(const Binding& binding) {
  return binding.kind == Binding::Kind::parameter || binding.kind == Binding::Kind::choose;
}

// Parameters over the same bounds are taken to be of one type.
std::string type_text(const Program& program, const Domain& domain) {
  if (domain.type != kNoType) return program.types[domain.type].name;
  return domain.from == nullptr ? "" : fmt::format("{}..{}", domain.from->value, domain.to->value);
}

class AccessCollector {
 public:
  explicit AccessCollector(const Program& program) : program_(program) {}

  void rule(const Rule& rule) {
    Names names;
    uint32_t parameters = 0;
    for (const Binding& binding : rule.bindings) {
      bind(binding, parameters, names);
      parameters += is_parameter(binding) ? 1 : 0;
    }
    if (rule.guard) expression(*rule.guard, names);
    block(rule.body, names);
  }
  std::vector<RuleAccess> take() { return std::move(accesses_); }

 private:
  void bind(const Binding& binding, uint32_t number, Names& names) {
    switch (binding.kind) {
      case Binding::Kind::parameter:
      case Binding::Kind::choose: names.parameters[binding.local] = number; break;
      case Binding::Kind::alias_place: bind_place(binding.local, *binding.place, names, names); break;
      case Binding::Kind::alias_value: bind_value(binding.local, *binding.value, names, names); break;
    }
  }
  // Binds a local of `inner` to what the place or value is among `names`.
  void bind_place(uint32_t local, const Place& place, const Names& names, Names& inner) const {
    if (auto area = resolve(place, names)) inner.places[local] = std::move(*area);
  }
  static void bind_value(uint32_t local, const Expr& value, const Names& names, Names& inner) {
    if (const auto parameter = parameter_of(value, names)) inner.parameters[local] = *parameter;
  }

  static std::optional<uint32_t> parameter_of(const Expr& e, const Names& names) {
    if (e.op != ExprOp::read || e.place->root != Place::Root::local || !e.place->path.empty()) return {};
    const auto found = names.parameters.find(e.place->id);
    return found == names.parameters.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<Area> root_of(const Place& place, const Names& names) const {
    if (place.root == Place::Root::state) {
      const StateVariable& variable = program_.state[place.id];
      return Area{{variable.name, RuleAccess::Index::none, 0, "", false}, variable.type};
    }
    if (place.root != Place::Root::local) return {};
    const auto found = names.places.find(place.id);
    return found == names.places.end() ? std::nullopt : std::optional(found->second);
  }

  // The area of a place; nothing if the place is outside the state.
  std::optional<Area> resolve(const Place& place, const Names& names) const {
    std::optional<Area> area = root_of(place, names);
    if (!area) return area;
    RuleAccess& access = area->access;
    for (const Selector& selector : place.path) {
      if (area->type == kNoType) break;
      const Type& type = program_.types[area->type];
      const bool indexed = access.index != RuleAccess::Index::none;
      if (selector.index == nullptr) {
        const Field& field = type.record()->fields[selector.field];
        (indexed ? access.inside : access.path) += "." + field.name;
        area->type = field.type;
      } else if (indexed) {
        area->type = kNoType;
      } else {
        const auto parameter = parameter_of(*selector.index, names);
        access.index = parameter ? RuleAccess::Index::parameter : RuleAccess::Index::other;
        access.parameter = parameter.value_or(0);
        area->type = type.array() ? type.array()->element : type.multiset()->element;
      }
    }
    return area;
  }

  void note(const Place& place, bool write, const Names& names) {
    std::optional<Area> area = resolve(place, names);
    if (!area) return;
    area->access.write = write;
    if (std::find(accesses_.begin(), accesses_.end(), area->access) == accesses_.end())
      accesses_.push_back(std::move(area->access));
  }

  void expression(const Expr& expr, const Names& names) {
    Walker walker;
    walker.on_expr = [&](const Expr& e) {
      if (e.op == ExprOp::call) call(e, names);
      if (e.place) note(*e.place, false, names);
    };
    walker.expr(expr);
  }
  void indices(const Place& place, const Names& names) {
    for (const Selector& selector : place.path)
      if (selector.index) expression(*selector.index, names);
  }

  void call(const Expr& e, const Names& names) {
    const Function& function = program_.functions[e.function];
    Names inner;
    std::string key = std::to_string(e.function);
    for (uint32_t i = 0; i < e.arguments.size(); ++i) {
      const Argument& argument = e.arguments[i];
      if (argument.place) bind_place(i, *argument.place, names, inner);
      if (argument.value) bind_value(i, *argument.value, names, inner);
      key += key_of(i, inner);
    }
    // The same call again accesses nothing else; a recursion ends here.
    if (known_.insert(key).second) block(function.body, inner);
  }
  static std::string key_of(uint32_t local, const Names& names) {
    if (const auto value = names.parameters.find(local); value != names.parameters.end())
      return fmt::format(" p{}", value->second);
    const auto place = names.places.find(local);
    if (place == names.places.end()) return " -";
    const RuleAccess& access = place->second.access;
    return fmt::format(" {}[{} {}]{} {}", access.path, static_cast<int>(access.index), access.parameter,
                       access.inside, place->second.type);
  }

  // A copy of the names for each block: what a statement binds holds in its body alone.
  void block(const Block& statements, const Names& names) {
    for (const Stmt& s : statements) statement(s, names);
  }
  void statement(const Stmt& s, const Names& names) {
    if (s.place) {
      if (s.op != StmtOp::bind_place) note(*s.place, Walker::writes(s.op), names);
      indices(*s.place, names);
    }
    if (s.value) expression(*s.value, names);
    for (const ExprPtr* e : {&s.domain.from, &s.domain.to, &s.domain.by})
      if (*e) expression(**e, names);
    for (const Branch& branch : s.branches) {
      if (branch.condition) expression(*branch.condition, names);
      block(branch.block, names);
    }
    if (s.body.empty()) return;
    Names inner = names;
    if (s.op == StmtOp::bind_place) bind_place(s.local, *s.place, names, inner);
    if (s.op == StmtOp::bind_value) bind_value(s.local, *s.value, names, inner);
    block(s.body, inner);
  }

  const Program& program_;
  std::vector<RuleAccess> accesses_;
  std::set<std::string> known_;  // calls, with what their arguments stand for
};

}  // namespace

std::vector<RuleParameter> rule_parameters(const Program& program, const Rule& rule) {
  std::vector<RuleParameter> parameters;
  for (const Binding& binding : rule.bindings)
    if (is_parameter(binding))
      parameters.push_back({rule.locals[binding.local].name, type_text(program, binding.domain),
                            binding.kind == Binding::Kind::choose});
  return parameters;
}

std::vector<RuleAccess> rule_accesses(const Program& program, const Rule& rule) {
  AccessCollector collector(program);
  collector.rule(rule);
  return collector.take();
}

}  // namespace strata::ir
