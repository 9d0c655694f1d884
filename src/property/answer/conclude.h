// What a search has found, in the words of the property. What it calls a counterexample of a formula is
// checked against the definition of the formula, and of fairness, before it is believed.
#pragma once

#include "base/status.h"
#include "property/ask/task.h"
#include "report/result.h"

namespace strata {

Status conclude(const Task& task, SearchResult& result);

}  // namespace strata
