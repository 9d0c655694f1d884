// Parameters of algorithms. A row of a table (algorithm.h) is the only place that has the default of a parameter and
// the values that it takes: --set is checked against the row before a search begins, and the search reads by name.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/contract/search_context.h"

namespace strata {

// The values that --set takes: numbers from `least` to `most`, words, or both.
struct ParameterValues {
  enum class Kind { words, whole, real };
  Kind kind = Kind::words;
  double least = 0, most = 0;
  std::vector<const char*> words;

  bool take(const std::string& text) const;
  std::string text() const;  // "a whole number from 1 to 8", "free or exact"
};

// For rows.
inline ParameterValues one_of(std::vector<const char*> words) {
  return {ParameterValues::Kind::words, 0, 0, std::move(words)};
}
inline ParameterValues whole(double least, double most) {
  return {ParameterValues::Kind::whole, least, most, {}};
}
inline ParameterValues real(double least, double most, std::vector<const char*> or_words = {}) {
  return {ParameterValues::Kind::real, least, most, std::move(or_words)};
}
// Marks a parameter that users do not need: `strata algorithms` lists it only with --all.
inline constexpr bool kExperiment = true;

struct AlgorithmParameter {
  const char* name;
  const char* default_value;
  ParameterValues values;
  const char* help;
  bool experiment = false;
};

// The value of a parameter, as a uint64_t, double or std::string. REQUIRES: Algorithm::run() began the search, and the
// row has the parameter, with values of this type.
template <class Value>
Value parameter(const SearchOptions& options, const char* name);
template <>
uint64_t parameter<uint64_t>(const SearchOptions& options, const char* name);
template <>
double parameter<double>(const SearchOptions& options, const char* name);
template <>
std::string parameter<std::string>(const SearchOptions& options, const char* name);

}  // namespace strata
