// The states of a model and the rules between them as a graph to look at, and to give to other tools.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/value.h"

namespace strata {

struct StateGraph {
  struct State {
    uint64_t level = 0;  // its distance from the first ones
    bool initial = false;
    bool accepting = false;
    bool deadlock = false;
    bool on_path = false;             // of the counterexample
    bool cut = false;                 // it has successors that are not in the graph
    std::vector<std::string> errors;  // what fails here, in words
    std::string label;                // the variables that were chosen: "x:1\ny:true"
    Value value;
  };
  struct Edge {
    uint32_t from = 0, to = 0;
    std::string rule;  // with its parameters
    bool on_path = false;
  };

  std::string version, model;
  std::vector<State> states;  // breadth-first, those of a level by their bytes; initial ones come first
  std::vector<Edge> edges;    // by the states they come from
  std::string note;           // what is not in it and why; empty: it has all states
};

}  // namespace strata
