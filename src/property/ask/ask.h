// From a question to a task: reads the property, loads the model with its propositions, and makes the views
// that a search needs.
//
//   the model's own   no view
//   G p, AG p, EF p   InvariantModel, for a safety search; one for several such formulas, also with the model's own
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

// What a model has to be loaded for to evaluate the formula, which must outlive the request; an error if the formula
// cannot be parsed.
Result<LoadRequest> propositions_of(const SourceFile& formula);
// As many propositions can a model evaluate.
constexpr size_t kMostPropositions = 64;

}  // namespace strata
