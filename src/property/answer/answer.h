// From a task to an answer: search, say what the result means, and search again for what the first search did not
// cover.
#pragma once

#include <string>

#include "base/status.h"
#include "engine/contract/algorithm.h"
#include "property/answer/runner.h"
#include "property/ask/question.h"
#include "property/ask/task.h"

namespace strata {

struct Answer {
  SearchResult result;
  std::string note;  // what the user should know before the result; empty: nothing
};

// REQUIRES: the context's model is task.searched(), and the algorithm fits the task.
Result<Answer> find_answer(const Task& task, const Algorithm& algorithm, const SearchContext& context,
                           const ModelLoader& load, const Runner& run);

}  // namespace strata
