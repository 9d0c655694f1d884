#include "native/rules/instance_loops.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "native/analysis/uses.h"

namespace strata::native {

using ir::Binding;
using ir::Expr;

std::string InstanceNumbers::rank(const Binding& b) const {
  if (b.kind == Binding::Kind::choose) return fmt::format("(u32)l{}", b.local);
  if (b.domain.type == ir::kNoType)
    return fmt::format("(u32)((l{} - ({}ll)) / ({}ll))", b.local, b.domain.from->value,
                       b.domain.by ? b.domain.by->value : 1);
  const ir::ScalarType& type = types_.scalar(b.domain.type);
  if (type.segments.size() > 1)
    return fmt::format("(u32)(encode_{}(l{}, 0) - {})", types_.number(b.domain.type), b.local,
                       type.optional ? 1 : 0);
  return fmt::format("(u32)(l{} - ({}ll))", b.local, type.segments[0].lo);
}

std::string InstanceNumbers::number(size_t bound) const {
  std::string text = "0u";
  for (size_t i = 0; i < bindings_.size(); ++i) {
    const Binding& b = bindings_[i];
    uint64_t size = 0;
    if (b.kind == Binding::Kind::parameter) size = ir::domain_size(program_, b.domain);
    if (b.kind == Binding::Kind::choose) size = program_.types[b.place->type].multiset()->capacity;
    if (size == 0) continue;
    const std::string part = i < bound ? rank(b) : "0u";
    text = text == "0u" ? part : fmt::format("({} * {}u + {})", text, size, part);
  }
  return fmt::format("({}u + {})", base_, text);
}

std::string alias_declaration(const Binding& alias, Callable& callable) {
  if (alias.kind == Binding::Kind::alias_value)
    return callable.expressions.named_value(alias.local, *alias.value);
  return fmt::format("auto&& l{} = {};", alias.local, callable.expressions.place(*alias.place));
}

std::string slot_is_free(const Binding& choice, Callable& callable) {
  return fmt::format("!{}.used[l{}]", callable.expressions.place(*choice.place), choice.local);
}

namespace {

// The conjuncts of a guard on their way into the loops.
class Conjuncts {
 public:
  Conjuncts(const std::vector<const Expr*>& conjuncts, size_t locals)
      : conjuncts_(conjuncts), unbound_(locals, false) {}

  void unbind(uint32_t local) { unbound_[local] = true; }
  void bind(uint32_t local) { unbound_[local] = false; }
  // The next one, if all that it mentions is bound; otherwise none.
  const Expr* next() {
    if (next_ == conjuncts_.size() || !ready(*conjuncts_[next_])) return nullptr;
    return conjuncts_[next_++];
  }

 private:
  bool ready(const Expr& e) const {
    std::vector<bool> used(unbound_.size(), false);
    mentioned_locals(e, used);
    for (size_t i = 0; i < used.size(); ++i)
      if (used[i] && unbound_[i]) return false;
    return true;
  }

  const std::vector<const Expr*>& conjuncts_;
  std::vector<bool> unbound_;
  size_t next_ = 0;
};

}  // namespace

void InstanceLoops::open(const std::vector<const Expr*>& conjuncts, bool catching, size_t given) {
  Conjuncts guard(conjuncts, callable_.scope.locals().size());
  const auto test = [&] {
    while (const Expr* e = guard.next()) leave_if("!" + callable_.expressions.expression(*e));
  };
  const std::string attempt = callable_.target.begin_attempt();
  const bool is_device = callable_.target.is_device();
  for (size_t i = is_device ? 0 : given; i < bindings_.size(); ++i) guard.unbind(bindings_[i].local);
  for (size_t i = 0; i < given && !is_device; ++i)
    callable_.scope.bind(bindings_[i].local, callable_.scope.interval(bindings_[i].domain));
  text_.line(1, catching ? "do { " + attempt : "do {");
  levels_.assign(1, given);
  test();
  // On a device, given bindings may be others than the first parameter: their tests are where their loops would be.
  for (size_t i = is_device ? 0 : given; i < bindings_.size(); ++i) {
    const Binding& b = bindings_[i];
    bind(b, i < given);
    if (i >= given && (b.kind == Binding::Kind::parameter || b.kind == Binding::Kind::choose)) {
      if (catching) text_.line(1, attempt);
      levels_.push_back(i + 1);
    }
    guard.bind(b.local);
    test();
  }
}

void InstanceLoops::leave_if(const std::string& condition) {
  if (callable_.target.is_device() && !fault_handling_.empty())
    text_.line(
        2, fmt::format("if ({} || state.fault.what != 0) {{ {} continue; }}", condition, fault_handling_));
  else
    text_.line(2, fmt::format("if ({}) continue;", condition));
}

void InstanceLoops::leave_at_fault() {
  if (!fault_handling_.empty())
    text_.line(2, fmt::format("if (state.fault.what != 0) {{ {} continue; }}", fault_handling_));
}

void InstanceLoops::bind(const Binding& b, bool given) {
  switch (b.kind) {
    case Binding::Kind::parameter:
      if (given) return callable_.scope.bind(b.local, callable_.scope.interval(b.domain));
      text_.line(1, callable_.expressions.loop_header(b.domain, b.local, {}) + "{");
      break;
    case Binding::Kind::alias_place:
    case Binding::Kind::alias_value:
      text_.line(1, alias_declaration(b, callable_));
      leave_at_fault();
      break;
    case Binding::Kind::choose: {
      const uint64_t capacity = program_.types[b.place->type].multiset()->capacity;
      callable_.scope.bind_slot(b.local, capacity);
      if (!given)
        text_.line(1, fmt::format("{2}for (i64 l{0} = 0; l{0} < {1}; ++l{0}) {{", b.local, capacity,
                                  callable_.target.unroll(capacity)));
      leave_if(slot_is_free(b, callable_));
      break;
    }
  }
}

void InstanceLoops::close() {
  for (size_t i = levels_.size(); i-- > 0;) text_.line(1, i == 0 ? "} while (0);" : "}");
}

void InstanceLoops::close(const InstanceNumbers& numbers, const std::string& handling) {
  for (size_t i = levels_.size(); i-- > 0;) {
    text_.line(1,
               callable_.target.end_attempt(fmt::format(fmt::runtime(handling), numbers.number(levels_[i]))));
    text_.line(1, i == 0 ? "} while (0);" : "}");
  }
}

}  // namespace strata::native
