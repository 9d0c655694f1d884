// For tests of the searches for accepting cycles: all of them with their parameters, random graphs with accepting states, and
// what a result has to have in common with that of the reference.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "base/random.h"
#include "liveness/lasso.h"
#include "liveness/liveness.h"
#include "liveness/reference_cycles.h"
#include "model/random_graph.h"
#include "search/disk_testing.h"

namespace strata {

// `once`: each state is expanded once, so the transitions are those of the graph; `shortest`: no lasso is shorter than the one
// it gives; `gives_up`: it may end without an answer, for want of memory.
inline const std::vector<Variant>& cycle_variants() {
  static const std::vector<Variant> all = {
      {"ndfs", {}, false, true, true, false},
      {"auto", {}, false, true, false, false},
      {"owcty", {}, false, true, false, false},
      {"owcty", {{"partitions", "4"}}, false, true, false, false},
      {"dac", {{"partition", "hash"}}, false, true, false, false},
      {"map", {}, false, true, false, false},
      {"map", {{"partitions", "3"}, {"partition", "hash"}}, false, true, false, false},
      {"semi", {{"check", "yes"}}, true, false, true, false},
      {"semi", {{"hash", "disk"}}, true, false, true, false},
      {"minimal", {}, true, false, true, true},
      {"minimal", {{"hash", "disk"}, {"buffer", "3"}}, true, false, true, true},
      {"iddfs", {{"growth", "2"}}, false, false, true, false},
      {"iddfs", {{"hash", "disk"}, {"check", "yes"}}, false, false, true, false},
      {"ioemc", {}, false, true, false, false},
      {"ioemc", {{"rho1", "0.3"}, {"rho2", "auto"}}, false, true, false, false},
      {"ioemc", {{"rho1", "0.05"}, {"rho2", "0.5"}, {"tables", "1"}}, false, true, false, false},
  };
  return all;
}

inline const Algorithm& cycle_algorithm(const Variant& variant) {
  if (std::string(variant.algorithm) == automatic_cycles().name) return automatic_cycles();
  for (const Algorithm& algorithm : liveness_algorithms())
    if (std::string(algorithm.name) == variant.algorithm) return algorithm;
  ADD_FAILURE() << "no search for cycles is called " << variant.algorithm;
  return liveness_algorithms().front();
}

// Nothing fails, and a share of the states, often a small one, is accepting.
inline Graph accepting_graph(uint64_t seed, bool large = false) {
  Graph graph = large ? large_random_graph(seed) : random_graph(seed);
  Random random(seed);
  const uint64_t share = seed % 3 == 0 ? 30 : seed % 3 == 1 ? 3 : 1;
  graph.initial_fails = graph.with_cover = false;
  for (GraphNode& node : graph.nodes) {
    node.violates = node.violates_b = false;
    for (GraphEdge& edge : node.edges) edge.fails = false;
    node.accepting = random.chance(share);
  }
  return graph;
}

inline void expect_same_cycles(const Model& model, const ReferenceCycles& expected,
                               const SearchResult& actual, const Variant& variant) {
  // The path of a cycle may need more memory than the search for it.
  const bool lacks_path =
      actual.stop == StopReason::memory && actual.verdict == Verdict::violated && !variant.gives_up;
  if (!lacks_path) {
    EXPECT_EQ(StopReason::none, actual.stop) << actual.stop_message;
  }
  EXPECT_EQ(expected.accepting_cycle ? Verdict::violated : Verdict::holds, actual.verdict);
  if (!expected.accepting_cycle) {
    EXPECT_TRUE(actual.counterexamples.empty());
    EXPECT_EQ(expected.states, actual.states);
    if (variant.once) {
      EXPECT_EQ(expected.transitions, actual.transitions);
    }
    return;
  }
  EXPECT_LE(actual.states, expected.states);
  ASSERT_EQ(1u, actual.counterexamples.size());
  ASSERT_TRUE(actual.counterexamples[0].loop.has_value());
  if (lacks_path) return;
  const Status replayed = replay_lasso(model, actual.counterexamples[0]);
  EXPECT_TRUE(replayed.ok()) << replayed.message();
}

}  // namespace strata
