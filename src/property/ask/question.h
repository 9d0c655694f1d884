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
#include "model/fairness.h"
#include "model/model.h"
#include "view/product.h"

namespace strata {

// Formulas, an automaton, or, with neither, the model's own properties: invariants, deadlocks and assertions, or a
// property process. Several formulas in one question are all about states (G p, EF p), or are all AG EF p.
struct Question {
  std::vector<SourceFile> formulas;     // their names are used in messages
  bool model = false;                   // with formulas about states: the model's own properties too
  std::optional<SourceFile> automaton;  // in HOA or as a never claim; its name is the path
  // The model evaluates these first, and then the others of the formulas. Different questions with the same list and no
  // others have the same compiled model.
  std::vector<std::string> propositions;
  FinitePaths finite_paths = FinitePaths::stutter;
  std::vector<FairnessRequest> fairness;  // only paths that are fair in all these ways count
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
