// Searches in RAM on graphs of tests, with options that vary with a seed.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/testing/reference_checker.h"
#include "search/algorithms.h"

namespace strata {

inline constexpr uint64_t kPlenty = 256ull << 20;  // bytes

inline Result<SearchResult> run_ram(const Model& model, const SearchOptions& options, bool stopped = false) {
  ProgressBoard progress;
  const std::atomic<bool> stop{stopped};
  return find_algorithm("ram")->run({model, options, progress, stop});
}

// All counterexamples, with their states and rules, as one string of numbers.
inline std::vector<uint64_t> fingerprint(const SearchResult& result) {
  std::vector<uint64_t> numbers;
  for (const Counterexample& found : result.counterexamples) {
    numbers.insert(numbers.end(),
                   {found.failure.rule, static_cast<uint64_t>(found.failure.kind), found.failure.detail});
    for (const TraceStep& step : found.steps) {
      numbers.push_back(step.rule);
      numbers.insert(numbers.end(), step.state.begin(), step.state.end());
    }
  }
  return numbers;
}

inline SearchOptions options_for(const ReferenceOptions& reference, unsigned threads,
                                 uint64_t memory = kPlenty) {
  SearchOptions options;
  options.memory = memory;
  options.threads = threads;
  options.deadlock = reference.deadlock;
  options.bound = reference.bound;
  options.max_errors = reference.max_errors;
  return options;
}

inline ReferenceOptions varied_options(uint64_t seed) {
  ReferenceOptions options;
  const DeadlockMode modes[] = {DeadlockMode::off, DeadlockMode::stuck, DeadlockMode::stuttering};
  options.deadlock = modes[seed % 3];
  if (seed % 5 == 0) options.bound = seed / 5 % 12;
  if (seed % 4 == 0) options.max_errors = 1 + seed % 7;
  return options;
}

}  // namespace strata
