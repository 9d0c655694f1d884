// The threads of a search, with what each of them owns.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/image/image.h"
#include "base/worker_pool.h"
#include "engine/trace/findings.h"
#include "model/model.h"
#include "report/result.h"

namespace strata {

struct alignas(128) SearchWorker {
  SearchWorker(unsigned number_, const ModelInfo& info, uint64_t capacity, uint64_t max_errors)
      : number(number_), out(info, capacity), findings(max_errors), counts(info) {}

  // Adds what another one counted.
  void add_counts(const SearchWorker& other);
  // Takes the counts of another one, instead of its own.
  void set_counts(const SearchWorker& other);
  // Saves or restores the counts.
  void serialize_counts(Image& image);

  const unsigned number;
  Expansion out;
  Findings findings;
  bool unstored = false;  // `out` has states of other ranks that found no room yet
  uint64_t charged = 0;   // successors whose room in `out` was drawn from the budget
  uint64_t transitions = 0, expansions = 0;
  RuleCounts counts;  // of these transitions
  double orbit_states = 0;
  TimeShares seconds;
};

struct SearchThreads {
  std::unique_ptr<WorkerPool> pool;  // null: not started
  std::vector<std::unique_ptr<SearchWorker>> workers;
};

}  // namespace strata
