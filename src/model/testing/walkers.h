// A model with symmetries, for tests: walkers on a ring of places, one of whom moved last. A permutation
// exchanges walkers.
//
// A state is a byte for each walker, the place where it is, and one for who moved last: 0 for nobody,
// otherwise his number from 1 on. Rule "step" of a walker takes him one place on. Rule "pass" of a walker,
// once somebody has moved, says that it was him. Property 0 fails where all walkers are at the last place.
// Proposition 0: one of them is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"

namespace strata {

class WalkerModel final : public Model, private Symmetry {
 public:
  enum class Bias {
    none,
    step,         // the first walker takes two places at a time
    guard,        // the first walker never moves
    property,     // property 0 fails where the first walker is at the last place
    proposition,  // proposition 0: the first walker is there
  };

  WalkerModel(uint32_t walkers, uint8_t places, Bias bias = Bias::none);

  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  Capabilities capabilities() const override {
    Capabilities offered;
    offered.symmetry = this;
    return offered;
  }
  Value describe(const uint8_t* state) const override;
  InstanceName rule_name(uint32_t rule) const override;
  InstanceName start_name(uint32_t start) const override;
  FailureText describe_failure(const Failure& failure) const override;

 private:
  const std::vector<SymmetricSet>& sets() const override { return sets_; }
  bool proved() const override { return bias_ == Bias::none; }
  // The one whose bytes are the smallest of all permutations.
  void canonicalise(uint8_t* states, uint64_t n) const override;
  void represent(uint8_t* states, uint64_t n) const override { canonicalise(states, n); }
  void canonicalise(const Successors& successors, double* sizes) const override;
  void permute(const uint8_t* state, const uint8_t* permutation, uint8_t* out) const override;

  std::vector<std::vector<uint8_t>> orbit(const uint8_t* state) const;  // sorted, without repetitions
  bool fails(const uint8_t* state) const;
  void append(const std::vector<uint8_t>& state, uint32_t rule, uint32_t parent, Expansion& out) const;

  const uint32_t walkers_;
  const uint8_t places_;
  const Bias bias_;
  std::vector<SymmetricSet> sets_;
  ModelInfo info_;
};

}  // namespace strata
