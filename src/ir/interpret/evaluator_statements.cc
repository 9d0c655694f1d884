#include <fmt/format.h>

#include "ir/interpret/evaluator.h"
#include "ir/layout.h"

namespace strata::ir {

Evaluator::Flow Evaluator::block(const Block& b) {
  for (const Stmt& s : b)
    if (statement(s) == Flow::returned) return Flow::returned;
  return Flow::next;
}

Evaluator::Flow Evaluator::statement(const Stmt& s) {
  switch (s.op) {
    case StmtOp::assign: assign(s); break;
    case StmtOp::if_then: return branches(s);
    case StmtOp::for_loop:
    case StmtOp::while_loop: return loop(s);
    case StmtOp::bind_place:
    case StmtOp::bind_value: return bound(s);
    case StmtOp::clear: clear(spot(*s.place)); break;
    case StmtOp::undefine: {
      const Spot at = spot(*s.place);
      store_bits(at, zeros(at.type));
      break;
    }
    case StmtOp::return_: return leave(s);
    case StmtOp::error: throw Failed{fmt::format("Error: {}", s.text)};
    case StmtOp::assert_:
      if (!truth(*s.value))
        throw Failed{s.text.empty() ? "Assertion failed." : fmt::format("Assertion failed: {}", s.text)};
      break;
    case StmtOp::assume:
      if (!truth(*s.value)) throw Failed{"an assumption does not hold"};
      break;
    case StmtOp::put:
    case StmtOp::cover: break;
    case StmtOp::call: call(*s.value); break;
    case StmtOp::multiset_add: add_element(spot(*s.place), s); break;
    case StmtOp::multiset_remove: {
      const Spot multiset = spot(*s.place);
      const int64_t slot = defined(*s.value);
      if (slot < 0 || static_cast<uint64_t>(slot) >= used(multiset))
        throw Failed{fmt::format("no such element in multiset {}", s.place->text)};
      remove_element(multiset, static_cast<uint64_t>(slot));
      break;
    }
    case StmtOp::multiset_remove_where: remove_where(s); break;
  }
  return Flow::next;
}

// The source is read before the target is written: they may overlap.
void Evaluator::assign(const Stmt& s) {
  if (is_aggregate(s.place->type)) {
    const Bits value = aggregate(*s.value);
    return store_bits(spot(*s.place), value);
  }
  const Scalar value = scalar(*s.value);
  store(spot(*s.place), value, s.place->text);
}

Evaluator::Flow Evaluator::branches(const Stmt& s) {
  for (const Branch& branch : s.branches)
    if (!branch.condition || truth(*branch.condition)) return block(branch.block);
  return Flow::next;
}

Evaluator::Flow Evaluator::loop(const Stmt& s) {
  Flow flow = Flow::next;
  if (s.op == StmtOp::for_loop) {
    each_value(s.domain, [&](int64_t value) {
      frames_.back().cells[s.local] = Scalar(value);
      flow = block(s.body);
      return flow == Flow::next;
    });
    return flow;
  }
  for (uint64_t round = 0; flow == Flow::next && truth(*s.value); ++round) {
    if (round >= kWhileLimit)
      throw Failed{fmt::format("while loop ran for more than {} rounds", kWhileLimit)};
    flow = block(s.body);
  }
  return flow;
}

Evaluator::Flow Evaluator::bound(const Stmt& s) {
  Cell value = Scalar();
  if (s.op == StmtOp::bind_place)
    value = spot(*s.place);
  else if (is_aggregate(s.value->type))
    value = aggregate(*s.value);
  else
    value = scalar(*s.value);
  frames_.back().cells[s.local] = std::move(value);
  return block(s.body);
}

Evaluator::Flow Evaluator::leave(const Stmt& s) {
  if (s.value == nullptr) return Flow::returned;
  const Function& function = *frames_.back().function;
  Cell result = Scalar();
  if (is_aggregate(function.result)) {
    result = aggregate(*s.value);
  } else {
    const Scalar value = scalar(*s.value);
    if (value && !rank(scalar_type(function.result), *value))
      fail_range(*value, function.result, "the result of the function");
    result = value;
  }
  frames_.back().result = std::move(result);
  return Flow::returned;
}

void Evaluator::remove_where(const Stmt& s) {
  const Spot multiset = spot(*s.place);
  for (uint64_t slot = 0; slot < used(multiset);) {
    frames_.back().cells[s.local] = Scalar(static_cast<int64_t>(slot));
    if (truth(*s.value))
      remove_element(multiset, slot);
    else
      ++slot;
  }
}

}  // namespace strata::ir
