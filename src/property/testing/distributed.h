// For tests of searches by several ranks: the searches, the graphs, and what all ranks must answer.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <utility>
#include <vector>

#include "base/testing/test_count.h"
#include "engine/contract/search_context.h"
#include "property/answer/fold_search.h"
#include "property/answer/share_search.h"
#include "search/testing/variants.h"

namespace strata {

// The numbers of the graphs: STRATA_FIRST_GRAPH to STRATA_GRAPHS, so that a range can be repeated.
struct GraphRange {
  uint64_t first, last;
};
inline GraphRange graph_range(uint64_t usual) {
  return {test_count("STRATA_FIRST_GRAPH", 1), test_count("STRATA_GRAPHS", usual)};
}

// With ranks, the levels are those of one process, whatever the algorithm does alone.
inline std::vector<Variant> distributed_variants() {
  std::vector<Variant> all =
      make_variants(algorithms(), {{"auto", {{"ram", "0"}}}, {"auto", {{"ram", "0.3"}}}});
  std::erase_if(all, [](const Variant& variant) { return !variant.has(trait::distributed); });
  for (Variant& variant : all) variant.traits |= trait::level_by_level | trait::exact_depth;
  return all;
}

// Searches as a rank does; without an exchange: alone.
inline Result<SearchResult> search_as_rank(const Algorithm& algorithm, const Model& model,
                                           const SearchOptions& options, cluster::Exchange* exchange,
                                           Checkpoints* checkpoints = nullptr,
                                           OldRanks* old_ranks = nullptr) {
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  SearchContext context{model, options, progress, stop};
  context.exchange = exchange;
  context.checkpoints = checkpoints;
  context.old_ranks = old_ranks;
  const Runner plain = [](const Algorithm& row, const SearchContext& with) { return row.run(with); };
  return sharing(folding(plain))(algorithm, context);
}

inline void expect_same_paths(const SearchResult& expected, const SearchResult& actual) {
  ASSERT_EQ(expected.counterexamples.size(), actual.counterexamples.size());
  for (size_t i = 0; i < expected.counterexamples.size(); ++i) {
    const Counterexample& one = expected.counterexamples[i];
    const Counterexample& other = actual.counterexamples[i];
    EXPECT_EQ(one.text.message, other.text.message);
    ASSERT_EQ(one.steps.size(), other.steps.size());
    for (size_t k = 0; k < one.steps.size(); ++k) {
      EXPECT_EQ(one.steps[k].rule, other.steps[k].rule);
      EXPECT_EQ(one.steps[k].state, other.steps[k].state);
    }
  }
}

}  // namespace strata
