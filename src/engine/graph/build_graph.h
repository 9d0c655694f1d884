// The graph of a model's states, level by level. States are in it whatever fails in them, and what comes
// behind them too: a graph is to be looked at and proves nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "report/graph/state_graph.h"
#include "report/result.h"

namespace strata {

struct GraphOptions {
  uint64_t states = 2000;  // no more than these
  DeadlockMode deadlock = DeadlockMode::stuttering;
  // Variables, or parts of them, that the labels show: "x", "cache[1]"; empty: all, where these are few.
  std::vector<std::string> labels;
  // Only states within so many steps of the path are in the graph.
  const Counterexample* around = nullptr;
  uint64_t distance = 0;
};

struct BuiltGraph {
  StateGraph graph;
  bool limited = false;  // there are more states than were allowed
};

BuiltGraph build_graph(const Model& model, const GraphOptions& options, const std::atomic<bool>& stop);

}  // namespace strata
