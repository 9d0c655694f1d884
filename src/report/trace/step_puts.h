// The texts that the steps of a path put. They are not stored: each step is fired again.
#pragma once

#include <string>

#include "model/model.h"
#include "report/result.h"

namespace strata {

class StepPuts {
 public:
  explicit StepPuts(const Model& model) : model_(model) {}

  // The text that step i of a path puts; may be empty. The step after the last one is the failing one, or closes the
  // loop.
  std::string of(const Counterexample& path, size_t i) const;

 private:
  std::string of_start(uint32_t start) const;
  std::string of_rule(const std::vector<uint8_t>& from, uint32_t rule) const;

  const Model& model_;
};

}  // namespace strata
