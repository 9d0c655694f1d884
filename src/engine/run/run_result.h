// What a search found, and the result made of that: failures with their paths, counts, coverage, the verdict, and why
// the search stopped. With several ranks, the result is that of all of them.
//
// REQUIRES: all threads of the search are idle, in every call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/memory_budget.h"
#include "base/number_list.h"
#include "base/status.h"
#include "engine/contract/search_context.h"
#include "engine/plan/memory_plan.h"
#include "engine/ranks/search_ranks.h"
#include "engine/run/run_limits.h"
#include "engine/run/run_memory.h"
#include "engine/run/search_worker.h"
#include "engine/trace/findings.h"
#include "engine/trace/trace_back.h"
#include "report/result.h"

namespace strata {

class RunResult {
 public:
  RunResult(const SearchContext& context, const SearchRanks& ranks, RunLimits& limits,
            const RunMemory& memory, const MemoryBudget& budget, SearchThreads& threads);

  // ---- failures

  // All ranks keep the same number of failures.
  uint64_t kept_errors() const { return kept_errors_; }
  Findings& findings() { return findings_; }
  bool complete() const { return findings_.complete(); }
  // Takes the failures that threads met since the last time. Stops a search that keeps fewer than the user
  // wants when it has as many as it can keep.
  void gather();
  // Takes those of all other ranks.
  void gather_ranks();
  // Saves the failures, or restores them: as those of the first thread, which the search takes when the level is done.
  void serialize_findings(Image& image);

  // ---- the result

  void set_plan(const MemoryPlan::Shares& shares) { plan_ = shares; }
  // What the algorithm counted.
  struct Numbers {
    uint64_t states = 0;
    NumberList levels;
    std::optional<uint64_t> depth;  // none: of the last level
  };
  // With a counterexample for each failure, traced back through the history (null: without paths).
  Result<SearchResult> finish(const Numbers& numbers, History* history);

 private:
  void sum_threads(SearchResult& result) const;
  void sum_ranks(SearchResult& result);
  void share_seconds(SearchResult& result) const;
  Status trace(SearchResult& result, History* history);
  void set_exactness(const Numbers& numbers, SearchResult& result) const;
  void set_verdict(SearchResult& result) const;
  Coverage coverage() const;
  void sum_ranks(Coverage& coverage) const;
  bool checked_properties() const;
  void find_missed_covers(SearchResult& result) const;
  std::string stop_message(const SearchResult& result) const;

  const SearchContext& context_;
  const ModelInfo& info_;
  const SearchRanks& ranks_;
  RunLimits& limits_;
  const RunMemory& memory_;
  const MemoryBudget& budget_;
  SearchThreads& threads_;
  const uint64_t kept_errors_;
  Findings findings_;
  MemoryPlan::Shares plan_;
};

}  // namespace strata
