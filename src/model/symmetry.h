// The symmetries of a model: sets of elements whose names do not matter. A permutation renames the elements of each
// set. States that permutations turn into each other form an orbit and behave alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strata {

struct SymmetricSet {
  std::string name;
  uint32_t size = 0;
};

class Symmetry {
 public:
  virtual ~Symmetry() = default;

  virtual const std::vector<SymmetricSet>& sets() const = 0;
  // Whether states of an orbit are proved to behave alike; otherwise the author of the model says so.
  virtual bool proved() const { return true; }

  // Replaces each state by a representative of its orbit: equal results exactly for states of one orbit.
  virtual void canonicalise(uint8_t* states, uint64_t n) const = 0;
  // Some states and their successors.
  struct Successors {
    const uint8_t* parents = nullptr;
    uint64_t parent_count = 0;
    uint8_t* states = nullptr;
    const uint32_t* parent_of = nullptr;  // ascending
    uint64_t count = 0;
  };
  // canonicalise() of the successors, for less where they differ from their parents in little; sizes[i]
  // becomes the number of states in the orbit of parent i.
  virtual void canonicalise(const Successors& successors, double* sizes) const = 0;
  void orbit_sizes(const uint8_t* states, uint64_t n, double* sizes) const {
    canonicalise({states, n, nullptr, nullptr, 0}, sizes);
  }
  // Renames the elements of a state: element i of a set becomes element permutation[base + i] of this set, where `base`
  // is the number of elements in the sets before it.
  virtual void permute(const uint8_t* state, const uint8_t* permutation, uint8_t* out) const = 0;

  // The number of elements in all sets.
  uint64_t elements() const {
    uint64_t sum = 0;
    for (const SymmetricSet& set : sets()) sum += set.size;
    return sum;
  }
  double group_size() const {
    double product = 1;
    for (const SymmetricSet& set : sets())
      for (uint32_t i = 2; i <= set.size; ++i) product *= i;
    return product;
  }
};

}  // namespace strata
