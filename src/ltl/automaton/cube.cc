#include "ltl/automaton/cube.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace strata::ltl {
namespace {

bool is_covered_from(const Cube& cube, const std::vector<Cube>& list, size_t begin) {
  for (size_t i = begin; i < list.size(); ++i) {
    const Cube& other = list[i];
    if (other.contains(cube)) return true;
    if ((other & cube).is_false()) continue;
    // The part of the cube outside `other`, in pieces: the rest of the list must cover each piece.
    const uint64_t positive = other.positive & ~cube.positive, negative = other.negative & ~cube.negative;
    Cube inside = cube;
    for (uint64_t left = positive | negative; left != 0; left &= left - 1) {
      const uint64_t bit = left & -left;
      const Cube with{bit & positive, bit & negative}, without{bit & negative, bit & positive};
      if (!is_covered_from(inside & without, list, i + 1)) return false;
      inside = inside & with;
    }
    return true;
  }
  return false;
}

void drop_literals(Cube& cube, const std::vector<Cube>& list) {
  for (uint64_t left = cube.positive | cube.negative; left != 0; left &= left - 1) {
    const uint64_t bit = left & -left;
    const Cube wider{cube.positive & ~bit, cube.negative & ~bit};
    if (is_covered(wider, list)) cube = wider;
  }
}

}  // namespace

bool is_covered(const Cube& cube, const std::vector<Cube>& list) { return is_covered_from(cube, list, 0); }

std::vector<Cube> difference(const std::vector<Cube>& list, const Cube& cube) {
  std::vector<Cube> result;
  for (Cube inside : list) {
    if ((inside & cube).is_false()) {
      result.push_back(inside);
      continue;
    }
    const uint64_t positive = cube.positive & ~inside.positive, negative = cube.negative & ~inside.negative;
    for (uint64_t left = positive | negative; left != 0; left &= left - 1) {
      const uint64_t bit = left & -left;
      result.push_back(inside & Cube{bit & negative, bit & positive});
      inside = inside & Cube{bit & positive, bit & negative};
    }
  }
  return result;
}

void minimize(std::vector<Cube>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  if (list.size() == 1) return;
  for (size_t i = 0; i < list.size(); ++i) {
    Cube wider = list[i];
    drop_literals(wider, list);
    list[i] = wider;
  }
  // Tries to remove the cubes with many literals first: they are the most likely to be covered by others.
  std::sort(list.begin(), list.end(), [](const Cube& a, const Cube& b) {
    return a.literals() != b.literals() ? a.literals() > b.literals() : a > b;
  });
  for (size_t i = 0; i < list.size();) {
    std::vector<Cube> others = list;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (is_covered(list[i], others)) {
      list = std::move(others);
    } else {
      ++i;
    }
  }
  std::sort(list.begin(), list.end());
}

}  // namespace strata::ltl
