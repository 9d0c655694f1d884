// Whether states of an orbit behave alike, tried out on one of them: a state and the same state with its
// elements renamed must have successors in the same orbits by the same rules, both must fail or neither, and
// the propositions must agree. That is what a quotient by the symmetry rests on; where it is not proved of a
// model (ir/symmetry), it is tested.
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
  // The model has symmetries; `propositions`: it evaluates some.
  OrbitProbe(const Model& model, bool propositions);

  // A difference in words; empty: none was found. Each set is permuted by itself, so that a difference is one
  // of that set.
  std::string compare(const uint8_t* state, DeadlockMode deadlock, Random& random);
  // The successors of the state that was compared last, for a walk.
  const std::vector<std::vector<uint8_t>>& successors() const { return own_.states; }

 private:
  using State = std::vector<uint8_t>;
  // What comes of a state, without the names of rule instances.
  struct Behaviour {
    std::vector<std::pair<uint32_t, State>>
        orbits;                     // (rule, one state of the successor's orbit), in order, each once
    std::vector<State> states;      // the successors
    std::vector<uint32_t> rules;    // of each of these
    std::vector<uint32_t> failing;  // rules that fail, in order, each once; kNoRule: the state itself does
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
