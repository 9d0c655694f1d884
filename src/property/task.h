// A question made ready for a search: the model, the views of it that the property needs, and what is to be said of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ltl/formula/formula.h"
#include "model/model.h"
#include "view/fair_paths.h"
#include "view/quotient/quotient.h"
#include "view/view.h"

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
  std::unique_ptr<QuotientModel> quotient;  // by the model's symmetries; null: it has none
  std::vector<std::unique_ptr<View>>
      views;  // the first of the quotient or the model, each other of the one before it
  std::vector<std::unique_ptr<View>> plain_views;  // with a quotient: the same, the first of the model itself
  std::string property;                            // in words; empty: the model's own
  std::vector<std::string> propositions;           // that it speaks of, by the bits of Model::propositions
  std::string message;                             // when it fails
  std::string note;  // what the user should know before the search; empty: nothing
  std::unique_ptr<ltl::FormulaPool> pool;
  ltl::Formula formula = nullptr;   // null: the property is no formula
  const FairModel* fair = nullptr;  // the last view of plain(), with weak fairness

  const Model& searched() const {
    if (!views.empty()) return *views.back();
    return quotient ? *quotient : *model;
  }
  // The same without the quotient: counterexamples are paths of it.
  const Model& plain() const {
    if (!quotient) return searched();
    return plain_views.empty() ? *model : *plain_views.back();
  }
  // Adds a view that make(model) makes. The result: that of plain().
  template <class Make>
  const View& add_view(const Make& make) {
    views.push_back(make(searched()));
    if (!quotient) return *views.back();
    plain_views.push_back(make(plain()));
    return *plain_views.back();
  }
  bool seeks_cycles() const { return kind == Kind::liveness || kind == Kind::own_automaton; }
  // Which deadlocks are errors, unless the user chooses: those of the model where its own properties are checked.
  DeadlockMode deadlock() const { return views.empty() ? model->info().deadlock : DeadlockMode::off; }
};

}  // namespace strata
