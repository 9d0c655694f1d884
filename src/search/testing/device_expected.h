// What a search on a device is to find: what the reference checker and `ram` say of the model.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "search/testing/ram_runs.h"
#include "search/testing/variants.h"

namespace strata {

// With beyond=exact, and where all states fit.
inline Variant gpu() {
  const Algorithm* row = find_algorithm("gpu");
  return {row, {{"beyond", "exact"}}, row->traits | trait::level_by_level | trait::exact_depth};
}

// What the reference checker and `ram` say of a model.
class Expected {
 public:
  Expected(const Model& model, const ReferenceOptions& options)
      : reference_(reference_check(model, options)), ram_(run_ram(model, options_for(options, 1))) {
    EXPECT_TRUE(ram_.ok());
  }
  const ReferenceResult& reference() const { return reference_; }
  void expect(const SearchResult& actual) const {
    expect_same(reference_, actual, gpu());
    EXPECT_EQ(ram_->verdict, actual.verdict);
    EXPECT_EQ(ram_->stop_message, actual.stop_message);
    EXPECT_EQ(fingerprint(*ram_), fingerprint(actual));
  }

 private:
  const ReferenceResult reference_;
  const Result<SearchResult> ram_;
};

// How a search is divided into steps: courses and stretches of all sizes.
inline void vary_steps(SearchOptions& options, uint64_t seed) {
  const char* small[] = {"65536", "0", "20", "300"};
  const char* stretch[] = {"65536", "9", "100", "1000"};
  options.parameters = {{"small", small[seed % 4]}, {"stretch", stretch[seed / 4 % 4]}, {"beyond", "exact"}};
}

}  // namespace strata
