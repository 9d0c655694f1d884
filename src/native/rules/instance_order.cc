#include "native/rules/instance_order.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "native/analysis/uses.h"

namespace strata::native {

using ir::Binding;

InstanceOrder::InstanceOrder(const ir::Program& program, uint32_t rule) {
  for (size_t later = rule + 1; later < program.rules.size(); ++later)
    begin_ += ir::instance_count(program, program.rules[later].bindings);
  end_ = begin_ + ir::instance_count(program, program.rules[rule].bindings);
  find_mentioned(program.rules[rule]);
  order_digits(program, program.rules[rule]);
}

// What the guard mentions, and what the aliases stand for that it mentions: those further in may mention
// those further out.
void InstanceOrder::find_mentioned(const ir::Rule& rule) {
  mentioned_.assign(rule.locals.size(), false);
  if (rule.guard != nullptr) mentioned_locals(*rule.guard, mentioned_);
  for (size_t i = rule.bindings.size(); i-- > 0;) {
    const Binding& b = rule.bindings[i];
    if (!mentioned_[b.local]) continue;
    if (b.value != nullptr) mentioned_locals(*b.value, mentioned_);
    if (b.place != nullptr) mentioned_locals(*b.place, mentioned_);
  }
}

void InstanceOrder::order_digits(const ir::Program& program, const ir::Rule& rule) {
  std::vector<Digit> mentioned;
  for (const Binding& b : rule.bindings) {
    uint64_t size = 0;
    if (b.kind == Binding::Kind::parameter) size = ir::domain_size(program, b.domain);
    if (b.kind == Binding::Kind::choose) size = program.types[b.place->type].multiset()->capacity;
    if (size == 0) continue;
    if (mentions(b)) {
      mentioned.push_back({&b, size});
    } else {
      digits_.push_back({&b, size});
      block_ *= size;
    }
  }
  digits_.insert(digits_.end(), mentioned.rbegin(), mentioned.rend());
}

std::string value_of_digit(const Binding& b, const std::string& digit, const CppTypes& types) {
  if (b.kind == Binding::Kind::choose) return digit;
  if (b.domain.type == ir::kNoType)
    return fmt::format("{}ll + {}ll * {}", b.domain.from->value, b.domain.by ? b.domain.by->value : 1, digit);
  const ir::ScalarType& type = types.scalar(b.domain.type);
  if (type.segments.size() > 1) return fmt::format("value_{}((u64){})", types.number(b.domain.type), digit);
  return fmt::format("{}ll + {}", type.segments[0].lo, digit);
}

void InstanceOrder::emit_parameters(const std::string& number, const CppTypes& types, Callable& callable,
                                    Text& text) const {
  text.line(2, fmt::format("u64 rest = {} - {}ull;", number, begin_));
  for (const Digit& digit : digits_) {
    const Binding& b = *digit.binding;
    if (b.kind == Binding::Kind::choose)
      callable.scope.bind_slot(b.local, digit.size);
    else
      callable.scope.bind(b.local, callable.scope.interval(b.domain));
    text.line(2,
              fmt::format("const i64 l{0} = {1}; rest /= {2};", b.local,
                          value_of_digit(b, fmt::format("(i64)(rest % {})", digit.size), types), digit.size));
  }
}

}  // namespace strata::native
