// What the user asks about a model, before it is loaded: a property as text, and the function that loads the model once
// the needed propositions are known.
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

// A formula, an automaton, or, with neither, the model's own properties: invariants, deadlocks and assertions, or a
// property process.
struct Question {
  std::optional<SourceFile> formula;    // its name is used in messages
  std::optional<SourceFile> automaton;  // in HOA or as a never claim; its name is the path
  FinitePaths finite_paths = FinitePaths::stutter;
  bool weak_fairness = false;  // only paths that are fair to all processes count
};

// How to load a model.
struct LoadRequest {
  std::vector<std::string> propositions;  // the model evaluates these, in this order
  const SourceFile* formula = nullptr;    // where they occur, at the offsets `places`; for messages
  std::vector<size_t> places;
  bool goals = false;              // instead, the model's own liveness properties as propositions
  bool fail_error_states = false;  // an error state is a failure instead of an ordinary state
};
using ModelLoader = std::function<Result<std::unique_ptr<Model>>(const LoadRequest& request)>;

}  // namespace strata
