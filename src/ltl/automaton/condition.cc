#include "ltl/automaton/condition.h"

#include <algorithm>

namespace strata::ltl {
namespace {

constexpr size_t kMaximumCubes = 4096;

std::vector<Cube> meet(const std::vector<Cube>& a, const std::vector<Cube>& b) {
  std::vector<Cube> all;
  for (const Cube& x : a) {
    for (const Cube& y : b) {
      if (!(x & y).is_false()) all.push_back(x & y);
    }
  }
  return all;
}

}  // namespace

std::optional<std::vector<Cube>> cubes_of(Formula f) {
  const uint64_t bit = uint64_t{1} << f->proposition;
  std::vector<Cube> result;
  if (f->op == Op::literal) result.push_back(f->negated ? Cube{0, bit} : Cube{bit, 0});
  if (f->op == Op::true_ || f->op == Op::and_) result.push_back({});
  for (Formula operand : f->operands) {
    const std::optional<std::vector<Cube>> cubes = cubes_of(operand);
    if (!cubes || result.size() * cubes->size() > kMaximumCubes * 16) return std::nullopt;
    if (f->op == Op::and_) {
      result = meet(result, *cubes);
    } else {
      result.insert(result.end(), cubes->begin(), cubes->end());
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    if (result.size() > kMaximumCubes) return std::nullopt;
  }
  // Minimizing takes time cubic in the number of cubes.
  if (result.size() <= 256) minimize(result);
  return result;
}

}  // namespace strata::ltl
