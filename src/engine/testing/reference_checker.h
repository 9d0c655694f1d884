// The oracle of the differential tests: textbook breadth-first search with one thread, one state at a time and std::map
// for everything, without code of the searches that it checks. Slow and easy to believe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.h"
#include "report/result.h"

namespace strata {

struct ReferenceOptions {
  DeadlockMode deadlock = DeadlockMode::stuttering;
  std::optional<uint64_t> bound;
  uint64_t max_errors = 1;
};

struct ReferenceResult {
  Verdict verdict = Verdict::holds;
  StopReason stop = StopReason::none;
  uint64_t states = 0, transitions = 0, expansions = 0;
  std::vector<uint64_t> levels;
  std::vector<uint64_t> error_lengths;  // of the shortest max_errors errors, ascending
  std::vector<uint32_t> missed_covers;
  std::vector<Coverage::Rule> coverage;
};

// Levels are completed before an error ends the search, as in the searches.
ReferenceResult reference_check(const Model& model, const ReferenceOptions& options);

}  // namespace strata
