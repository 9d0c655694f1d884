// For tests of the searches for accepting cycles: all of them with their parameters, random graphs with
// accepting states, and what a result has to have in common with that of the reference.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "base/random.h"
#include "liveness/cycle_algorithms.h"
#include "liveness/lasso/lasso.h"
#include "liveness/testing/reference_cycles.h"
#include "model/testing/random_graph.h"
#include "search/testing/variants.h"

namespace strata {

// The rows of the table, and `auto`, which for cycles is a search of its own.
inline const std::vector<Algorithm>& cycle_rows() {
  static const std::vector<Algorithm> rows = [] {
    std::vector<Algorithm> all = liveness_algorithms();
    all.push_back(automatic_cycles());
    return all;
  }();
  return rows;
}

inline const std::vector<Variant>& cycle_variants() {
  static const std::vector<Variant> all =
      make_variants(cycle_rows(), {
                                      {"owcty", {{"partitions", "4"}}},
                                      {"dac", {{"partition", "hash"}}},
                                      {"map", {{"partitions", "3"}, {"partition", "hash"}}},
                                      {"semi", {{"check", "yes"}}},
                                      {"semi", {{"hash", "disk"}}},
                                      {"minimal", {{"hash", "disk"}, {"buffer", "3"}}},
                                      {"iddfs", {{"growth", "2"}}},
                                      {"iddfs", {{"hash", "disk"}, {"check", "yes"}}},
                                      {"ioemc", {{"rho1", "0.3"}, {"rho2", "auto"}}},
                                      {"ioemc", {{"rho1", "0.05"}, {"rho2", "0.5"}, {"tables", "1"}}},
                                  });
  return all;
}

// One row with some parameters of its own.
inline Variant cycle_variant(const char* name, std::map<std::string, std::string> parameters = {}) {
  return make_variants(cycle_rows(), {{name, std::move(parameters)}}).back();
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

// A tree, in which each state leads to three others, and one of some is accepting.
inline Graph accepting_tree(uint32_t nodes, uint64_t state_bytes, uint32_t one_of) {
  Graph graph;
  graph.state_bytes = state_bytes;
  graph.nodes.resize(nodes);
  for (uint32_t i = 0; 3 * i + 3 < nodes; ++i) {
    for (uint32_t k = 1; k <= 3; ++k) graph.nodes[i].edges.push_back({3 * i + k, k, false});
    graph.nodes[i].accepting = i % one_of == 0;
  }
  graph.initial = {0};
  return graph;
}

inline void expect_same_cycles(const Model& model, const ReferenceCycles& expected,
                               const SearchResult& actual, const Variant& variant) {
  // The path of a cycle may need more memory than the search for it.
  const bool lacks_path = actual.stop == StopReason::memory && actual.verdict == Verdict::violated &&
                          !variant.has(trait::gives_up);
  if (!lacks_path) {
    EXPECT_EQ(StopReason::none, actual.stop) << actual.stop_message;
  }
  EXPECT_EQ(expected.accepting_cycle ? Verdict::violated : Verdict::holds, actual.verdict);
  expect_coverage_adds_up(actual);
  if (!expected.accepting_cycle) {
    EXPECT_TRUE(actual.counterexamples.empty());
    EXPECT_EQ(expected.states, actual.states);
    if (variant.has(trait::exact_depth)) {
      EXPECT_EQ(reference_check(model, {DeadlockMode::off, {}, 1}).levels, actual.levels);
    }
    if (!variant.has(trait::revisits)) {
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
