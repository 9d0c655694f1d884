// The state graph of a model (states, and the rules between them), to be drawn or read by other tools.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/value.h"

namespace strata {

struct StateGraph {
  struct State {
    uint64_t level = 0;  // the distance from the initial states
    bool initial = false;
    bool accepting = false;
    bool deadlock = false;
    bool on_path = false;             // of the counterexample
    bool cut = false;                 // the state has successors that are not in the graph
    std::vector<std::string> errors;  // the failures in this state, in words
    std::string label;                // the selected variables: "x:1\ny:true"
    Value value;
  };
  struct Edge {
    uint32_t from = 0, to = 0;
    std::string rule;  // with its parameters
    bool on_path = false;
    std::string parameters{};  // what `rule` ends with: ", p:Proc_1, v:2"
  };

  std::string version, model;
  std::vector<State> states;  // in breadth-first order, initial states first; within a level by their bytes
  std::vector<Edge> edges;    // ordered by source state
  std::string note;           // which states are missing, and why; empty: none
};

}  // namespace strata
