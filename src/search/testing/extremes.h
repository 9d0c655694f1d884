// For tests of all searches: each parameter at its least and its greatest value. Whatever a user may ask for
// has to come to an end.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/testing/test_count.h"
#include "search/testing/variants.h"

namespace strata {

// The least and the most that the row takes, and its words. A least value that is the default, such as a 0 that lets
// the search choose, gives way to the next one.
inline std::vector<std::string> extreme_values(const AlgorithmParameter& parameter) {
  const ParameterValues& values = parameter.values;
  std::vector<std::string> extremes;
  if (values.kind != ParameterValues::Kind::words) {
    double least = values.least;
    const std::string text = fmt::format("{}", least);
    if (values.kind == ParameterValues::Kind::whole && text == parameter.default_value) ++least;
    extremes = {fmt::format("{}", least), fmt::format("{}", values.most)};
  }
  extremes.insert(extremes.end(), values.words.begin(), values.words.end());
  return extremes;
}

// Each row with one parameter at an extreme, and with all of them at the first or at the last.
inline std::vector<Variant> extreme_variants(const std::vector<Algorithm>& rows) {
  std::vector<Variant> variants;
  for (const Algorithm& row : rows) {
    if (row.has(trait::on_device)) continue;
    std::map<std::string, std::string> first, last;
    for (const AlgorithmParameter& parameter : row.parameters) {
      const std::vector<std::string> values = extreme_values(parameter);
      for (const std::string& value : values)
        variants.push_back({&row, {{parameter.name, value}}, row.traits});
      first[parameter.name] = values.front();
      last[parameter.name] = values.back();
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
