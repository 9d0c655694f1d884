// A path through a model that a user builds step by step, and the moves that are possible where it ends. Before a start
// state has been chosen the path is empty, and the moves are the start states.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "model/model.h"
#include "report/result.h"

namespace strata {

class Walk {
 public:
  // `model` must outlive the walk.
  Walk(const Model& model, DeadlockMode deadlock);

  // Finds the start states; chooses one if it is the only one.
  Status begin();

  const std::vector<TraceStep>& path() const { return path_; }
  const std::vector<TraceStep>& moves() const { return moves_; }
  // What is wrong with the last state: rules that fail, properties that do not hold, a deadlock.
  const std::vector<Failure>& failures() const { return failures_; }
  const uint8_t* state() const { return path_.back().state.data(); }

  // REQUIRES: `move` is a number of moves().
  void go(uint64_t move);
  // Keeps the first `steps` states of the path; none: back to the choice of a start state.
  void keep(uint64_t steps);
  // Takes the moves that lead through these states, the first of which is a start state. If no move leads to one of
  // them, the error names that state, and the walk stays at the state before it.
  // Only the shown values of the states count: other tools name rules in other ways.
  Status follow(const std::vector<Value>& states);
  // REQUIRES: `path` was a path of this walk.
  void restore(std::vector<TraceStep> path);

 private:
  void find_moves();

  const Model& model_;
  Expansion out_;
  std::vector<TraceStep> starts_, path_, moves_;
  std::vector<Failure> failures_;
};

}  // namespace strata
