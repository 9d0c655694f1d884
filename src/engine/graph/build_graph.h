// The graph of a model's states, level by level. It contains states that fail and the states behind them, too: a graph
// is for looking at and proves nothing.
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
  uint64_t states = 2000;  // at most
  DeadlockMode deadlock = DeadlockMode::stuttering;
  // Variables or parts of variables in the labels: "x", "cache[1]"; empty: all, if there are few.
  std::vector<std::string> labels;
  // Only states within this many steps of the path are in the graph.
  const Counterexample* around = nullptr;
  uint64_t distance = 0;
};

struct BuiltGraph {
  StateGraph graph;
  bool limited = false;  // there are more states than the limit allows
};

BuiltGraph build_graph(const Model& model, const GraphOptions& options, const std::atomic<bool>& stop);

}  // namespace strata
