// Every counterexample is replayed by the model alone before a user sees it.
#pragma once

#include "base/status.h"
#include "model/model.h"
#include "report/result.h"

namespace strata {

// Ok if the first state is initial, every rule leads from its state to the next one, and the failure occurs again at
// the end. Otherwise StatusCode::internal, with the step that failed.
Status replay(const Model& model, DeadlockMode deadlock, const Counterexample& counterexample);

// The verdict for a failure.
Verdict verdict_of(const FailureText& failure);

}  // namespace strata
