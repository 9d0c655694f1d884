// From a question to a task: reads the property, loads the model with its propositions, and makes the views
// that a search needs.
//
//   the model's own   no view
//   G p, AG p, EF p   InvariantModel, for a safety search
//   AG EF p           InvariantModel, whose condition is the goal of search_recurrence()
//   other formulas    ProductModel with the automaton of the negation
//   an automaton      ProductModel
//   weak fairness     FairModel over the model with accepting states
//
// A model with symmetries is first replaced by its quotient, and the views are made over the quotient.
#pragma once

#include "base/status.h"
#include "property/ask/question.h"
#include "property/ask/task.h"

namespace strata {

Result<Task> ask(const Question& question, const ModelLoader& load);

}  // namespace strata
