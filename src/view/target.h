// A model whose only property is that a certain state is not reached; its own properties and deadlocks do not count. A
// search for the path to a state searches this model. A rule that fails is an error as usual.
#pragma once

#include <cstdint>
#include <vector>

#include "view/view.h"

namespace strata {

class TargetModel final : public View {
 public:
  // `target`: the bytes of the state; empty: no state, so that only failing rules are errors. `starts`: initial states,
  // one after the other, instead of the model's; empty: the model's.
  TargetModel(const Model& model, std::vector<uint8_t> target, std::vector<uint8_t> starts = {});

  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  InstanceName start_name(uint32_t start) const override;
  FailureText describe_failure(const Failure& failure) const override;

  bool is_target(const Failure& failure) const {
    return failure.kind == Failure::Kind::property && failure.detail == property_;
  }

 private:
  void note_target(const uint8_t* states, uint64_t n, Expansion& out) const;

  const std::vector<uint8_t> target_, starts_;
  uint32_t property_;
};

}  // namespace strata
