// What `check` has to do: the model, the property, and the model that a search is given for it. The property is the model's
// own (its invariants, deadlocks and assertions), or one that replaces these: a formula, an automaton, a property process.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "ltl/formula/formula.h"
#include "model/model.h"
#include "native/native.h"
#include "report/result.h"
#include "search/algorithms.h"
#include "tool/options/options.h"
#include "view/fair_paths.h"
#include "view/product.h"

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
  std::unique_ptr<Model> product;  // what `derived` is made of with --fairness; null otherwise
  std::unique_ptr<Model> derived;  // of the model, for the search; null: the model itself
  std::string property;            // in words; empty: the model's own
  std::string message;             // when it fails
  std::string note;                // what the user should know before the search; empty: nothing
  std::unique_ptr<ltl::FormulaPool> pool;
  ltl::Formula formula = nullptr;   // null: the property is no formula
  const FairModel* fair = nullptr;  // `derived`, with --fairness

  const Model& searched() const { return derived ? *derived : *model; }
  bool seeks_cycles() const { return kind == Kind::liveness || kind == Kind::own_automaton; }
};

Result<Task> load_task(const Options& options, native::LoadStats* stats);

// The algorithm for the task: `auto` stands for the best one; another one must fit. A safety search of a model with a property
// process makes another task of it, and a note.
Result<const Algorithm*> fit_algorithm(Task& task, const Algorithm& chosen, const Options& options);

// Says in the words of the property what was found, and checks a lasso against the formula's definition.
Status conclude(const Task& task, SearchResult& result);

}  // namespace strata
