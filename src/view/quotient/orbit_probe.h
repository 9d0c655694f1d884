// Tests on a single state whether the states of its orbit behave alike. The state, and the same state with renamed
// elements, must have successors in the same orbits by the same rules, must fail alike, and must agree in their
// propositions. A quotient by the symmetry relies on that. If it is not proved for a model (ir/symmetry), it is tested.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "model/model.h"
#include "model/symmetry.h"

namespace strata {

class OrbitProbe {
 public:
  // REQUIRES: the model has symmetries. `propositions`: it evaluates some.
  OrbitProbe(const Model& model, bool propositions);

  // The first difference in words; empty: none. Each set is permuted separately, so a difference belongs to one set.
  std::string compare(const uint8_t* state, DeadlockMode deadlock, Random& random);
  // The successors of the state that was compared last, for a walk.
  const std::vector<std::vector<uint8_t>>& successors() const { return own_.states; }

 private:
  using State = std::vector<uint8_t>;
  // The outcome of expanding a state, without the names of rule instances.
  struct Behaviour {
    std::vector<std::pair<uint32_t, State>>
        orbits;                 // (rule, representative of the successor's orbit), sorted, without duplicates
    std::vector<State> states;  // the successors
    std::vector<uint32_t> rules;  // of each of these
    std::vector<uint32_t>
        failing;  // rules that fail, sorted, without duplicates; kNoRule: the state itself fails
    uint64_t propositions = 0;
  };

  Behaviour behaviour(const uint8_t* state, DeadlockMode deadlock);
  uint32_t rule_of(uint32_t instance) const;
  std::vector<uint8_t> some_permutation(uint64_t base, const SymmetricSet& set, Random& random) const;
  std::string difference(const SymmetricSet& set, const uint8_t* state, const State& other,
                         const Behaviour& theirs) const;
  std::string different_successors(const Behaviour& theirs, std::optional<uint32_t> rule) const;
  std::optional<uint32_t> different_rule(const Behaviour& theirs) const;
  std::string text_of(const uint8_t* state) const;

  const Model& model_;
  const Symmetry& symmetry_;
  const bool propositions_;
  Expansion out_;
  Behaviour own_;
  std::vector<uint64_t> rule_ends_;  // the number behind the last instance of each rule
};

}  // namespace strata
