// What is asked of a model, before there is one: a property in the words of the user, and the function that
// loads the model once it is known which propositions that needs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "model/model.h"
#include "view/product.h"

namespace strata {

// A formula, an automaton, or, with neither, what the model says itself: invariants, deadlocks and
// assertions, or a property process.
struct Question {
  std::optional<SourceFile> formula;    // named as messages are to name its place
  std::optional<SourceFile> automaton;  // in HOA or as a never claim, named by its path
  FinitePaths finite_paths = FinitePaths::stutter;
  bool weak_fairness = false;  // only paths count that are fair to all processes
};

// How a model is wanted.
struct LoadRequest {
  std::vector<std::string> propositions;  // it evaluates these, in this order
  const SourceFile* formula = nullptr;    // that they stand in, at these offsets; for messages
  std::vector<size_t> places;
  bool goals = false;              // or its own liveness properties, as propositions
  bool fail_error_states = false;  // an error state is a failure, not a state as others
};
using ModelLoader = std::function<Result<std::unique_ptr<Model>>(const LoadRequest& request)>;

}  // namespace strata
