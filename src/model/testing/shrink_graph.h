// Shrinks a graph on which a test fails to a small graph on which it still fails: delta debugging (Zeller and
// Hildebrandt 2002), which drops parts of all sizes, large ones first, until none can be dropped.
//
// What is dropped, in turn, until a whole round drops nothing:
//
//   nodes             with their edges; or bridged: edges into a dropped node lead to its first or last successor
//                     instead, so that paths get shorter and stay paths
//   edges, initial states, labels of nodes (violates, accepting, ...), propositions, failing edges
//   properties        the cover, goals, processes, numbers of rules, the width of states
//
// Deterministic, apart from the time limit: the same graph and test give the same smallest graph.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "model/testing/explicit_graph.h"

namespace strata {

// Whether the test fails on a graph. The graphs that are tried have a node and an initial state at least.
using GraphFails = std::function<bool(const Graph&)>;

struct ShrinkLimits {
  std::chrono::duration<double> time = std::chrono::seconds(60);
};

// REQUIRES: fails(graph). A test that fails only sometimes ends with some graph on which it failed once.
Graph shrink_graph(const Graph& graph, const GraphFails& fails, const ShrinkLimits& limits = {});

// The graph as C++ for a test: statements that make the variable `graph`.
std::string graph_as_code(const Graph& graph);

// Runs check(graph), which has GoogleTest's expectations. If one fails, report_smallest() looks for the smallest graph
// on which one does, and adds a failure with that graph as C++. On the thread of the test; failures on all threads
// count.
void check_and_shrink(const Graph& graph, const std::function<void(const Graph&)>& check,
                      const ShrinkLimits& limits = {});
void report_smallest(const Graph& graph, const std::function<void(const Graph&)>& check,
                     const ShrinkLimits& limits = {});

}  // namespace strata
