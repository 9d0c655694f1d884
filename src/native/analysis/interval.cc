#include "native/analysis/interval.h"

#include <algorithm>
#include <bit>

namespace strata::native {

using ir::ExprOp;

__extension__ typedef __int128 Wide;

static IntervalResult clamp(Wide lo, Wide hi) {
  if (lo < INT64_MIN || hi > INT64_MAX) return {Interval(), true};
  return {{static_cast<int64_t>(lo), static_cast<int64_t>(hi)}, false};
}

static IntervalResult product(Interval a, Interval b) {
  const Wide corners[] = {Wide(a.lo) * b.lo, Wide(a.lo) * b.hi, Wide(a.hi) * b.lo, Wide(a.hi) * b.hi};
  return clamp(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4));
}

static Wide magnitude(Interval a) {
  return std::max(Wide(a.hi) < 0 ? -Wide(a.hi) : Wide(a.hi), Wide(a.lo) < 0 ? -Wide(a.lo) : Wide(a.lo));
}

static IntervalResult remainder(Interval a, Interval b) {
  const Wide most = std::min(magnitude(a), std::max<Wide>(magnitude(b) - 1, 0));
  return clamp(a.lo < 0 ? -most : 0, a.hi > 0 ? most : 0);
}

static IntervalResult quotient(Interval a, Interval b) {
  const Wide most = magnitude(a);
  const bool positive = a.lo >= 0 && b.lo >= 0;
  IntervalResult result = clamp(positive ? 0 : -most, most);
  return result;
}

static IntervalResult bitwise(ExprOp op, Interval a, Interval b) {
  // Of a conjunction one operand without a sign bit is enough.
  if (op == ExprOp::bit_and && (a.lo >= 0 || b.lo >= 0))
    return {{0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi)}};
  if (a.lo < 0 || b.lo < 0) return {};
  const auto bits = std::bit_width(static_cast<uint64_t>(std::max(a.hi, b.hi)));
  return {{0, bits >= 63 ? INT64_MAX : (int64_t(1) << bits) - 1}};
}

IntervalResult combine(ExprOp op, Interval a, Interval b) {
  switch (op) {
    case ExprOp::add: return clamp(Wide(a.lo) + b.lo, Wide(a.hi) + b.hi);
    case ExprOp::subtract: return clamp(Wide(a.lo) - b.hi, Wide(a.hi) - b.lo);
    case ExprOp::multiply: return product(a, b);
    case ExprOp::divide: return quotient(a, b);
    case ExprOp::modulo: return remainder(a, b);
    case ExprOp::bit_and:
    case ExprOp::bit_or:
    case ExprOp::bit_xor: return bitwise(op, a, b);
    case ExprOp::shift_right: return a.lo >= 0 && b.lo >= 0 ? IntervalResult{{0, a.hi}} : IntervalResult{};
    default: return {};
  }
}

Interval type_interval(const ir::Program& program, ir::TypeId type) {
  if (type == ir::kInteger || type == ir::kNoType) return {};
  const ir::ScalarType* s = program.types[type].scalar();
  if (!s || s->segments.empty()) return {};
  Interval hull{s->segments.front().lo, s->segments.front().hi};
  for (const ir::Segment& seg : s->segments) {
    hull.lo = std::min(hull.lo, seg.lo);
    hull.hi = std::max(hull.hi, seg.hi);
  }
  return hull;
}

}  // namespace strata::native
