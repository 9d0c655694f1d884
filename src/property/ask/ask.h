// From a question to a task: the property is read, the model loaded with its propositions, and the views made
// that a search needs.
//
//   the model's own   no view
//   G p, AG p, EF p   InvariantModel, for a safety search
//   AG EF p           InvariantModel, whose condition is the goal of search_recurrence()
//   other formulas    ProductModel with the automaton of the negation
//   an automaton      ProductModel
//   weak fairness     FairModel over what has accepting states
//
// A model with symmetries is first replaced by its quotient; the views then stand on that.
#pragma once

#include "base/status.h"
#include "property/ask/question.h"
#include "property/ask/task.h"

namespace strata {

Result<Task> ask(const Question& question, const ModelLoader& load);

}  // namespace strata
