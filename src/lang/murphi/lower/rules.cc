#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic_line.h"
#include "ir/clone.h"
#include "ir/layout.h"
#include "lang/murphi/lower/murphi_lowering.h"

namespace strata::murphi {
namespace {

constexpr uint64_t kMostInstances = 64;  // of one liveness property
constexpr int64_t kUsualPriority = 50;   // of a rule without a priority

struct PropertyWords {
  ir::Property::Kind kind;
  const char* unnamed;  // "Invariant" 1, 2 ...
  const char* phrase;
};

PropertyWords words_of(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::assumption: return {ir::Property::Kind::assumption, "Assumption", "an assumption"};
    case PropertyKind::cover: return {ir::Property::Kind::cover, "Cover", "a cover"};
    case PropertyKind::liveness: return {ir::Property::Kind::liveness, "Liveness", "a liveness property"};
    // An assertion at the top level is an invariant.
    default: return {ir::Property::Kind::invariant, "Invariant", "an invariant"};
  }
}

// Names a construct that must not change the state, for messages, during its lifetime.
class PureSection {
 public:
  PureSection(Context& context, const char* phrase) : context_(&context) { context.pure = phrase; }
  ~PureSection() { context_->pure = nullptr; }
  PureSection(const PureSection&) = delete;
  PureSection& operator=(const PureSection&) = delete;

 private:
  Context* context_;
};

std::vector<ir::Binding> copy_bindings(const Context& context) {
  std::vector<ir::Binding> copies;
  for (const ir::Binding& binding : context.bindings) copies.push_back(ir::clone(binding));
  return copies;
}

// Gives a parameter with constant bounds and no step a range type, so that its values have a type to be printed by.
void narrow_to_range(Context& context, Iteration& iteration) {
  ir::Domain& domain = iteration.domain;
  if (domain.type != ir::kNoType || domain.from->value > domain.to->value) return;
  if (domain.by != nullptr && domain.by->value != 1) return;
  ir::TypeId range = context.types.add_range({}, domain.from->value, domain.to->value);
  context.callable.locals[iteration.local].type = range;
  domain = ir::Domain();
  domain.type = range;
}

void bind_parameters(Context& context, const Item& item) {
  for (const Quantifier& quantifier : item.quantifiers) {
    std::optional<Iteration> iteration = lower_quantifier(context, quantifier, true);
    if (!iteration) continue;
    narrow_to_range(context, *iteration);
    ir::Binding binding;
    binding.kind = ir::Binding::Kind::parameter;
    binding.local = iteration->local;
    binding.domain = std::move(iteration->domain);
    context.bindings.push_back(std::move(binding));
  }
}

void bind_aliases(Context& context, const Item& item) {
  PureSection pure(context, "an alias around rules");
  for (const AliasDecl& alias : item.aliases) {
    std::optional<AliasBinding> lowered = lower_alias(context, alias);
    if (!lowered) continue;
    ir::Binding binding;
    binding.kind =
        lowered->place != nullptr ? ir::Binding::Kind::alias_place : ir::Binding::Kind::alias_value;
    binding.local = lowered->local;
    binding.place = std::move(lowered->place);
    binding.value = std::move(lowered->value);
    context.bindings.push_back(std::move(binding));
  }
}

void bind_choice(Context& context, const Item& item) {
  PureSection pure(context, "Choose");
  const Quantifier& quantifier = item.quantifiers[0];
  std::unique_ptr<ir::Place> place = lower_multiset(context, *quantifier.from, "Choose", false);
  ir::Binding binding;
  binding.kind = ir::Binding::Kind::choose;
  binding.local = declare_slot(context, quantifier, place == nullptr ? ir::kNoType : place->type);
  binding.place = std::move(place);
  if (binding.place != nullptr) context.bindings.push_back(std::move(binding));
}

// Lowers a ruleset, alias or choose, and the items in it.
void lower_group(Context& context, const Item& item) {
  ScopeGuard scope(context.scopes);
  size_t outer_bindings = context.bindings.size();
  Callable outer = context.callable;
  if (item.kind == Item::Kind::ruleset) bind_parameters(context, item);
  if (item.kind == Item::Kind::alias) bind_aliases(context, item);
  if (item.kind == Item::Kind::choose) bind_choice(context, item);
  for (const Item& inner : item.items) lower_item(context, inner);
  context.bindings.resize(outer_bindings);
  context.callable = std::move(outer);
}

// Defines the process that a rule belongs to: the value of its first parameter. Rules whose first parameters have the
// same type share their processes. A rule without a parameter is a process of its own.
void add_processes(Context& context, ir::Rule& rule) {
  ir::Program& program = context.program;
  const auto first = std::find_if(rule.bindings.begin(), rule.bindings.end(), [](const ir::Binding& binding) {
    return binding.kind == ir::Binding::Kind::parameter;
  });
  if (first == rule.bindings.end()) {
    rule.processes = {static_cast<uint32_t>(program.processes++)};
    return;
  }
  const ir::Domain& domain = first->domain;
  rule.process_parameter = static_cast<uint32_t>(first - rule.bindings.begin());
  const std::string family = domain.type != ir::kNoType
                                 ? program.types[domain.type].name
                                 : fmt::format("{}..{} by {}", domain.from->value, domain.to->value,
                                               domain.by == nullptr ? 1 : domain.by->value);
  const auto [known, added] =
      context.process_families.try_emplace(family, static_cast<uint32_t>(program.processes));
  rule.processes = {known->second};
  if (added) program.processes += ir::domain_size(program, domain);
}

// Such a guard has CMurphi's meaning, which is seldom what the author expects, so there is a note.
void note_changing_guard(Context& context, SourcePosition position) {
  ir::Program& program = context.program;
  const bool first = std::none_of(program.rules.begin(), program.rules.end(),
                                  [](const ir::Rule& rule) { return rule.guard_changes; });
  if (!first) return;
  program.note = note_at(
      program.path, position,
      "this guard changes the state. As in CMurphi, all guards work on one copy of the state, from the last "
      "rule to the first, and every successor contains the changes of all guards, even of those that are "
      "false");
}

void lower_guard(Context& context, const Item& item, ir::Rule& rule) {
  std::vector<SourcePosition> writes;
  context.guard_writes = &writes;
  rule.guard = lower_condition(context, *item.guard, "a guard");
  context.guard_writes = nullptr;
  if (writes.empty()) return;
  note_changing_guard(context, writes.front());
  rule.guard_changes = true;
  for (uint32_t i = 0; i < context.program.scalarsets.size(); ++i)
    context.program.asymmetries.push_back({i, ir::Asymmetry::Kind::breaks,
                                           "a guard changes the state, so the order of the rules matters",
                                           writes.front()});
}

void lower_rule(Context& context, const Item& item) {
  bool start = item.kind == Item::Kind::start;
  ScopeGuard scope(context.scopes);
  Callable outer = context.callable;
  ir::Rule rule;
  if (item.guard != nullptr) lower_guard(context, item, rule);
  for (const Decl& declaration : item.decls) lower_declaration(context, declaration, false);
  rule.body = lower_block(context, item.body);
  rule.position = item.position;
  rule.priority = item.priority.value_or(kUsualPriority);
  std::vector<ir::Rule>& rules = start ? context.program.starts : context.program.rules;
  rule.named = item.has_name;
  rule.name =
      item.has_name ? item.name : fmt::format("{} {}", start ? "Startstate" : "Rule", rules.size() + 1);
  rule.bindings = copy_bindings(context);
  rule.locals = std::move(context.callable.locals);
  context.callable = std::move(outer);
  if (!start && !context.diagnostics->has_errors()) add_processes(context, rule);
  rules.push_back(std::move(rule));
}

// All instances of an invariant must hold, so they are one property. But even if each instance of a liveness property
// can be reached, there need not be a state in which all hold. So each of its instances is a property.
void split_instances(Context& context, uint32_t number) {
  ir::Program& program = context.program;
  const ir::Property whole = std::move(program.properties[number]);
  uint64_t instances = 1;
  for (const ir::Binding& binding : whole.bindings) {
    if (binding.kind != ir::Binding::Kind::parameter) continue;
    const uint64_t size = ir::domain_size(program, binding.domain);
    if (__builtin_mul_overflow(instances, size, &instances)) instances = UINT64_MAX;
  }
  program.properties.pop_back();
  if (instances > kMostInstances) {
    context.error(whole.position,
                  fmt::format("the liveness property has {} instances; at most {} are possible", instances,
                              kMostInstances));
    return;
  }
  for (uint64_t instance = 0; instance < instances; ++instance) {
    ir::Property one;
    one.kind = whole.kind;
    one.name = whole.name;
    one.named = whole.named;
    one.position = whole.position;
    one.locals = whole.locals;
    one.condition = ir::clone(whole.condition);
    uint64_t rest = instance;
    for (const ir::Binding& binding : whole.bindings) {
      ir::Binding fixed = ir::clone(binding);
      if (binding.kind == ir::Binding::Kind::parameter) {
        const uint64_t size = ir::domain_size(program, binding.domain), value = rest % size;
        rest /= size;
        const ir::Local& local = whole.locals[binding.local];
        one.parameters += fmt::format(", {}:{}", local.name, ir::domain_text(program, binding.domain, value));
        fixed.domain = ir::Domain();
        fixed.domain.from =
            ir::make_constant(ir::domain_value(program, binding.domain, value), local.type, {});
        fixed.domain.to = ir::clone(fixed.domain.from);
      }
      one.bindings.push_back(std::move(fixed));
    }
    program.properties.push_back(std::move(one));
  }
}

void lower_property(Context& context, const Item& item) {
  Callable outer = context.callable;
  const char* phrase = words_of(item.property).phrase;
  PureSection pure(context, phrase);
  ir::ExprPtr condition = lower_condition(context, *item.guard, phrase);
  uint32_t number = add_property(context, item.property, item.has_name, item.name, item.position);
  ir::Property& property = context.program.properties[number];
  property.condition = std::move(condition);
  property.bindings = copy_bindings(context);
  property.locals = std::move(context.callable.locals);
  context.callable = std::move(outer);
  if (item.property == PropertyKind::liveness && !context.diagnostics->has_errors())
    split_instances(context, number);
}

}  // namespace

uint32_t add_property(Context& context, PropertyKind kind, bool has_name, const std::string& name,
                      SourcePosition position) {
  PropertyWords words = words_of(kind);
  ir::Property property;
  property.kind = words.kind;
  property.position = position;
  size_t number = 1;
  for (const ir::Property& other : context.program.properties) number += other.kind == words.kind;
  property.named = has_name;
  property.name = has_name ? name : fmt::format("{} {}", words.unnamed, number);
  context.program.properties.push_back(std::move(property));
  return static_cast<uint32_t>(context.program.properties.size() - 1);
}

void record_item(Context& context, const Item& item) {
  const auto declare = [&](lang::SymbolKind kind) {
    context.symbols->declare({kind, item.name, item.position, ir::kNoType, symbol_kind_name(kind)});
  };
  switch (item.kind) {
    case Item::Kind::start: return declare(lang::SymbolKind::start);
    case Item::Kind::rule: return declare(lang::SymbolKind::rule);
    case Item::Kind::property: return declare(lang::SymbolKind::property);
    default: return;
  }
}

void lower_item(Context& context, const Item& item) {
  if (context.symbols != nullptr) record_item(context, item);
  switch (item.kind) {
    case Item::Kind::start:
    case Item::Kind::rule: return lower_rule(context, item);
    case Item::Kind::property: return lower_property(context, item);
    case Item::Kind::ruleset:
    case Item::Kind::alias:
    case Item::Kind::choose: return lower_group(context, item);
  }
}

namespace {

void lower_typed_value(Context& context, const lang::TypedExpression<Expr>& typed) {
  PureSection pure(context, "an expression");
  ir::TypedValue value{typed.text, {}, lower_expression(context, *typed.tree)};
  value.locals = std::move(context.callable.locals);
  context.callable = Callable();
  if (value.value != nullptr) context.program.typed_values.push_back(std::move(value));
}

void lower_typed_property(Context& context, const lang::TypedExpression<Expr>& typed) {
  const char* phrase = typed.kind == lang::TypedKind::proposition ? "a proposition" : "an invariant";
  PureSection pure(context, phrase);
  ir::ExprPtr condition = lower_condition(context, *typed.tree, phrase);
  ir::Property& property =
      lang::add_typed_property(context.program, typed.text, typed.kind, std::move(condition));
  property.locals = std::move(context.callable.locals);
  context.callable = Callable();
}

}  // namespace

void lower_typed(Context& context, const lang::TypedExpression<Expr>& typed) {
  if (typed.kind == lang::TypedKind::value)
    lower_typed_value(context, typed);
  else
    lower_typed_property(context, typed);
}

}  // namespace strata::murphi
