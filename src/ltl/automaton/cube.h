// Conditions on up to 64 propositions: a cube is a conjunction of literals, a list of cubes their disjunction.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <vector>

namespace strata::ltl {

struct Cube {
  uint64_t positive = 0;  // propositions that must hold
  uint64_t negative = 0;  // propositions that must not

  // Whether the valuation satisfies the cube; bit i is the value of proposition i.
  bool matches(uint64_t valuation) const {
    return (positive & ~valuation) == 0 && (negative & valuation) == 0;
  }
  bool is_false() const { return (positive & negative) != 0; }
  bool is_true() const { return (positive | negative) == 0; }
  // Whether `other` implies this cube.
  bool contains(const Cube& other) const {
    return (positive & ~other.positive) == 0 && (negative & ~other.negative) == 0;
  }
  int literals() const { return std::popcount(positive) + std::popcount(negative); }

  friend Cube operator&(const Cube& a, const Cube& b) {
    return {a.positive | b.positive, a.negative | b.negative};
  }
  friend auto operator<=>(const Cube&, const Cube&) = default;
};

// Whether the cube, which must not be false, implies the disjunction of the list.
bool is_covered(const Cube& cube, const std::vector<Cube>& list);

// The valuations of the list that do not satisfy the cube, as a list.
std::vector<Cube> difference(const std::vector<Cube>& list, const Cube& cube);

// Makes an equivalent list from which no cube and no literal can be removed.
void minimize(std::vector<Cube>& list);

}  // namespace strata::ltl
