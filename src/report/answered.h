// The answer to one property of a run, as reports show it.
#pragma once

#include <cstddef>
#include <vector>

#include "model/model.h"
#include "report/result.h"
#include "report/run_info.h"

namespace strata {

struct Answered {
  const Model& model;  // names and describes what the result contains
  const SearchResult& result;
  const RunInfo& run;
};

// The answers of a run, in the order of its properties; there is at least one. One of them decides about the run:
// reports about the whole run show its figures.
struct Answers {
  std::vector<Answered> all;
  size_t deciding = 0;

  const Answered& main() const { return all[deciding]; }
  bool several() const { return all.size() > 1; }
};

}  // namespace strata
