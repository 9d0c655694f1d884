#include "ir/symmetry/asymmetries.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ir/symmetry/order_proof.h"
#include "ir/symmetry/reduction.h"
#include "ir/walker.h"

namespace strata::ir {
namespace {

class Finder {
 public:
  explicit Finder(Program& program) : program_(program) {}

  // `typed`: the expression is from the command line.
  void callable(const Expr* expression, const Block* body, bool typed = false) {
    typed_ = typed;
    Walker walker;
    walker.on_expr = [&](const Expr& e) { constant(e); };
    walker.on_stmt = [&](const Stmt& s) {
      if (s.op == StmtOp::clear) cleared(s);
    };
    if (expression != nullptr) walker.expr(*expression);
    if (body != nullptr) walker.block(*body);
  }

  // A property of a single value, like an instance of a liveness property: it may hold in some states of an orbit and
  // not in others.
  void instance(const Property& property) {
    for (const Binding& binding : property.bindings) {
      if (binding.kind != Binding::Kind::parameter || !binding.domain.from) continue;
      const Expr& first = *binding.domain.from;
      const std::optional<uint32_t> set = set_of(first.type, first.value);
      if (set && program_.scalarsets[*set].size() > 1)
        add(*set, Asymmetry::Kind::named, property.position,
            fmt::format("\"{}\" is checked for each value of {} separately", property.name,
                        program_.scalarsets[*set].name));
    }
  }

  void add(uint32_t scalarset, Asymmetry::Kind kind, SourcePosition position, std::string reason) {
    const auto known = [&](const Asymmetry& other) {
      return other.scalarset == scalarset && other.position.line == position.line && other.reason == reason;
    };
    std::vector<Asymmetry>& all = program_.asymmetries;
    if (std::none_of(all.begin(), all.end(), known))
      all.push_back({scalarset, kind, std::move(reason), position});
  }

 private:
  // The scalarset to which a value belongs.
  std::optional<uint32_t> set_of(TypeId type, int64_t value) const {
    if (type == kInteger || program_.types[type].scalar() == nullptr) return std::nullopt;
    for (uint32_t i = 0; i < program_.scalarsets.size(); ++i)
      if (value >= program_.scalarsets[i].lo && value <= program_.scalarsets[i].hi && has_segment(type, i))
        return i;
    return std::nullopt;
  }
  bool has_segment(TypeId type, uint32_t scalarset) const {
    return has_values(*program_.types[type].scalar(), program_.scalarsets[scalarset]);
  }

  void constant(const Expr& e) {
    if (e.op != ExprOp::constant || e.type == kBoolean) return;
    const std::optional<uint32_t> set = set_of(e.type, e.value);
    if (!set || program_.scalarsets[*set].size() < 2) return;
    const Scalarset& own = program_.scalarsets[*set];
    const std::string reason = fmt::format("the expression names {}_{}", own.name, e.value - own.lo + 1);
    if (typed_)
      add(*set, Asymmetry::Kind::named, {}, reason);
    else
      add(*set, Asymmetry::Kind::breaks, e.position, reason);
  }

  // `clear` sets a scalar to the first value of its type.
  void cleared(const Stmt& s) { cleared(s.place->type, s); }
  void cleared(TypeId id, const Stmt& s) {
    const Type& type = program_.types[id];
    if (const ScalarType* scalar = type.scalar()) {
      const std::optional<uint32_t> set = set_of(id, scalar->segments.front().lo);
      if (set && program_.scalarsets[*set].size() > 1)
        add(*set, Asymmetry::Kind::breaks, s.position,
            fmt::format("'clear' sets {} to the first value of {}; 'undefine' names no value", s.place->text,
                        program_.scalarsets[*set].name));
    } else if (const ArrayType* array = type.array()) {
      cleared(array->element, s);
    } else if (const RecordType* record = type.record()) {
      for (const Field& field : record->fields) cleared(field.type, s);
    }
  }

  Program& program_;
  bool typed_ = false;
};

}  // namespace

void find_asymmetries(Program& program) {
  if (program.scalarsets.empty()) return;
  Finder finder(program);
  for (const std::vector<Rule>* rules : {&program.starts, &program.rules})
    for (const Rule& rule : *rules) finder.callable(rule.guard.get(), &rule.body);
  for (const Function& function : program.functions) finder.callable(nullptr, &function.body);
  for (const Property& property : program.properties) {
    finder.callable(property.condition.get(), nullptr, property.position.line == 0);
    if (property.kind == Property::Kind::liveness) finder.instance(property);
  }
  const auto unproved = [&](uint32_t scalarset, SourcePosition position, const std::string& reason) {
    finder.add(scalarset, Asymmetry::Kind::unproved, position, reason);
  };
  // find_orders() returns pointers into the program, which may be changed here.
  for (const Stmt* statement : find_orders(program, unproved)) const_cast<Stmt*>(statement)->gathers = true;
}

}  // namespace strata::ir
