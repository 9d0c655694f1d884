// How many random cases a test runs through, from the environment: STRATA_GRAPHS (random graphs), STRATA_FAULT_RUNS
// (runs with injected faults), STRATA_FORMULAS (random formulas). Builds with sanitizers ask for fewer, ./test --long
// for more. A test may run through a multiple of the number.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace strata {

// The number in an environment variable, or `otherwise` if the variable is not set. A text that is not a number fails
// the test.
inline uint64_t test_count(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return otherwise;
  const std::string_view digits = text;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
    throw std::invalid_argument(std::string(variable) + " is not a number: " + text);
  return number;
}

}  // namespace strata
