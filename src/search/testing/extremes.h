// For tests of all searches: each parameter at its least and its greatest value. Whatever a user may ask for
// has to come to an end.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/testing/test_count.h"
#include "search/testing/variants.h"

namespace strata {

// By the parameter's name. A parameter that is not here fails the test.
inline const std::map<std::string, std::vector<std::string>>& extreme_values() {
  static const std::map<std::string, std::vector<std::string>> values = {
      {"alpha_minus", {"0", "1"}},
      {"alpha_plus", {"0", "1"}},
      {"beta", {"0", "10"}},
      {"buffer", {"1", "1073741824"}},
      {"check", {"no", "yes"}},
      {"costs", {"fixed", "measured"}},
      {"ec", {"0", "1e9"}},
      {"epsilon", {"0", "1"}},
      {"gamma", {"0", "1"}},
      {"growth", {"1.1", "1e6"}},
      {"hash", {"ram", "disk"}},
      {"levels", {"free", "exact"}},
      {"owner", {"hash", "local"}},
      {"partial", {"0", "64"}},
      {"partition", {"local", "hash"}},
      {"partitions", {"1", "4096"}},
      {"ram", {"0", "1"}},
      {"rc", {"0", "1e9"}},
      {"rho1", {"0.0001", "1"}},
      {"rho2", {"0.01", "0.99", "auto"}},
      {"table", {"chained", "open"}},
      {"tables", {"1", "8"}},
      {"waiting", {"0", "1"}},
      {"wc", {"0", "1e9"}},
  };
  return values;
}

// Each row with one parameter at an extreme, and with all of them at the first or at the last.
inline std::vector<Variant> extreme_variants(const std::vector<Algorithm>& rows) {
  std::vector<Variant> variants;
  for (const Algorithm& row : rows) {
    std::map<std::string, std::string> first, last;
    for (const AlgorithmParameter& parameter : row.parameters) {
      const auto values = extreme_values().find(parameter.name);
      EXPECT_NE(values, extreme_values().end()) << "no extremes of " << parameter.name;
      if (values == extreme_values().end()) continue;
      for (const std::string& value : values->second)
        variants.push_back({&row, {{parameter.name, value}}, row.traits});
      first[parameter.name] = values->second.front();
      last[parameter.name] = values->second.back();
    }
    variants.push_back({&row, first, row.traits});
    variants.push_back({&row, last, row.traits});
  }
  return variants;
}

// Tiny to small memory, one thread to many.
inline SearchOptions extreme_options(const Variant& variant, uint64_t seed) {
  SearchOptions options;
  const uint64_t budgets[] = {64 << 10, 128 << 10, 256 << 10, 1 << 20, 16 << 20};
  const unsigned threads[] = {1, 2, 40};
  options.memory = 2 * budgets[seed % 5];
  options.threads = threads[seed / 5 % 3];
  options.parameters = variant.parameters;
  options.time_limit = 60;
  const bool in_memory = std::filesystem::exists("/dev/shm");
  options.disk.disks = {in_memory ? "/dev/shm" : std::filesystem::temp_directory_path().string()};
  return options;
}

// How many graphs each extreme gets; ./test --long asks for more.
inline uint64_t extreme_graphs() { return test_count("STRATA_GRAPHS", 30) / 10 + 1; }

// The search ended, and not by its time; true when it has an answer, not too little memory for one.
inline bool has_answer(const Result<SearchResult>& actual) {
  if (!actual.ok()) {
    EXPECT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
    return false;
  }
  EXPECT_NE(StopReason::time, actual->stop);
  return actual->stop != StopReason::time && actual->stop != StopReason::memory;
}

// Runs each of them on some graphs: run(variant, options, seed).
template <class Run>
void run_extremes(const std::vector<Algorithm>& rows, const Run& run) {
  const std::vector<Variant> variants = extreme_variants(rows);
  for (uint64_t i = 0; i < variants.size(); ++i) {
    for (uint64_t k = 0; k < extreme_graphs(); ++k) {
      const uint64_t seed = 1 + i + k * variants.size();
      const SearchOptions options = extreme_options(variants[i], i + k);
      SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variants[i]) + " memory " +
                   std::to_string(options.memory >> 10) + " threads " + std::to_string(options.threads));
      run(variants[i], options, seed);
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace strata
