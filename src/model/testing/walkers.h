// For tests: a model with symmetries. Walkers move on a ring of places; the model remembers who moved last. A
// permutation exchanges walkers.
//
// A state has a byte for each walker, the place of the walker, and a byte for the walker who moved last: 0 at first,
// then the walker's number from 1 on. Rule "step" of a walker moves it by one place. Rule "pass" of a walker, enabled
// once a walker has moved, makes it the last to have moved. Property 0 fails if all walkers are at the last place; such
// a state has no successors, except with a bias, so that the difference is in the property alone.
// Proposition 0: a walker is at the last place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/device_code.h"
#include "model/model.h"

namespace strata {

class WalkerModel final : public Model, private Symmetry, private DeviceModel {
 public:
  enum class Bias {
    none,
    step,         // the first walker takes two places at a time
    guard,        // the first walker never moves
    property,     // property 0 fails where the first walker is at the last place
    proposition,  // proposition 0: the first walker is there
  };

  WalkerModel(uint32_t walkers, uint8_t places, Bias bias = Bias::none);

  // How a device expands.
  void use_two_passes(bool two_passes) { two_passes_ = two_passes; }
  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  Capabilities capabilities() const override {
    Capabilities offered;
    offered.symmetry = this;
    offered.device = this;
    return offered;
  }
  Value describe(const uint8_t* state) const override;
  InstanceName rule_name(uint32_t rule) const override;
  InstanceName start_name(uint32_t start) const override;
  FailureText describe_failure(const Failure& failure) const override;

 private:
  const std::vector<SymmetricSet>& sets() const override { return sets_; }
  bool proved() const override { return bias_ == Bias::none; }
  // Only without a bias.
  Status runs_on_device() const override;
  Result<DeviceCode> device_code() const override;
  Result<DeviceCode> reduced_device_code() const override;
  // The representative has the smallest bytes among all permutations.
  void canonicalise(uint8_t* states, uint64_t n) const override;
  void canonicalise(const Successors& successors, double* sizes) const override;
  void permute(const uint8_t* state, const uint8_t* permutation, uint8_t* out) const override;

  std::vector<std::vector<uint8_t>> orbit(const uint8_t* state) const;  // sorted, without repetitions
  bool fails(const uint8_t* state) const;
  void append(const std::vector<uint8_t>& state, uint32_t rule, uint32_t parent, Expansion& out) const;

  const uint32_t walkers_;
  const uint8_t places_;
  const Bias bias_;
  bool two_passes_ = false;
  std::vector<SymmetricSet> sets_;
  ModelInfo info_;
};

}  // namespace strata
