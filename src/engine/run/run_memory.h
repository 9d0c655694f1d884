// What a search has of --memory, and the messages that say that it is too little.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "engine/contract/search_context.h"
#include "engine/plan/memory_plan.h"
#include "engine/trace/trace_back.h"
#include "model/model.h"

namespace strata {

class RunMemory {
 public:
  // `resident`: bytes that the process has when the search starts. Options and info must outlive it.
  RunMemory(const SearchOptions& options, const ModelInfo& info, uint64_t resident);

  uint64_t resident() const { return resident_; }
  // How many errors the search keeps, and the bytes that are left for all else.
  uint64_t kept_errors() const { return kept_errors_; }
  uint64_t for_search() const { return for_search_; }

  // ---- what to say

  // A plan does not fit, and would with `least` bytes.
  Status too_small(const MemoryPlan& plan, uint64_t least) const;
  Status too_small_for_threads() const;
  Status no_room_for_successors(uint64_t successors) const;
  Status no_room_for_errors() const;
  // `states`: the states that a search on disk has found; 0 for a search in RAM.
  Status no_room_for_paths(const Traced& traced, uint64_t states) const;

 private:
  uint64_t thread_bytes() const;
  uint64_t usable() const;
  uint64_t memory_for(uint64_t usable) const;
  unsigned threads() const;

  const SearchOptions& options_;
  const ModelInfo& info_;
  const uint64_t resident_;
  uint64_t kept_errors_ = 0, for_search_ = 0;
};

}  // namespace strata
