// Believe no answer unchecked: a counterexample is replayed by the model alone before anyone sees it.
#pragma once

#include "base/status.h"
#include "model/model.h"
#include "report/result.h"

namespace strata {

// Ok when the first state is initial, every rule leads from its state to the next one, and the failure occurs again at
// the end; otherwise StatusCode::internal and what did not fit.
Status replay(const Model& model, DeadlockMode deadlock, const Counterexample& counterexample);

// The verdict that a failure means.
Verdict verdict_of(const FailureText& failure);

}  // namespace strata
