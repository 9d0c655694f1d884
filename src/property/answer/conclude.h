// Restates the result of a search in the words of the property. A counterexample of a formula is first checked against
// the definitions of the formula and of fairness.
#pragma once

#include "base/status.h"
#include "property/ask/task.h"
#include "report/result.h"

namespace strata {

Status conclude(const Task& task, SearchResult& result);

}  // namespace strata
