// A question made ready for a search: the model, the views that the property needs, and the words for messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ltl/formula/formula.h"
#include "model/model.h"
#include "property/ask/view_stack.h"
#include "view/fair/fair_paths.h"

namespace strata {

struct Task {
  enum class Kind {
    safety,         // the model's own properties
    invariant,      // G p, as a safety search
    reachability,   // EF p: the safety search for p
    recurrence,     // AG EF p: a search of its own
    liveness,       // accepting cycles of a product
    own_automaton,  // accepting cycles of the model, which has a property process
  };

  Kind kind = Kind::safety;
  std::unique_ptr<Model> model;
  ViewStack views;                        // over the model
  std::string property;                   // in words; empty: the model's own
  std::vector<std::string> propositions;  // of the property, by the bits of Model::propositions
  std::string message;                    // for the case that it fails
  std::string note;                       // what the user should know before the search; empty: nothing
  std::unique_ptr<ltl::FormulaPool> pool;
  ltl::Formula formula = nullptr;   // null: the property is no formula
  const FairModel* fair = nullptr;  // plain(), with fairness; otherwise null
  std::string fairness;             // in words; empty: none

  bool own_too = false;  // the model's own properties beside those of the views

  // The model for a search, and the model whose paths counterexamples are.
  const Model& searched() const { return views.searched(); }
  const Model& plain() const { return views.plain(); }
  bool seeks_cycles() const { return kind == Kind::liveness || kind == Kind::own_automaton; }
  // Whether the model's own properties are checked.
  bool asks_model() const { return views.empty() || own_too; }
  // Which deadlocks are errors, unless the user chooses: the model's choice if its own properties are checked.
  DeadlockMode deadlock() const { return asks_model() ? model->info().deadlock : DeadlockMode::off; }
};

}  // namespace strata
