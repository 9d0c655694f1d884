// The saved states of a search that continues from where another process ended, in the order in which a search takes
// them: level by level, then those of the current level that are expanded, those that are not, and those that were
// found for the next level.
#pragma once

#include <functional>

#include "engine/trace/trace_back.h"

namespace strata {

class SavedStates {
 public:
  SavedStates() = default;
  virtual ~SavedStates() = default;
  SavedStates(const SavedStates&) = delete;
  SavedStates& operator=(const SavedStates&) = delete;

  // Each calls visit(thread, states, count) on all threads. visit_levels() visits the levels that are done, and calls
  // done() after each.
  virtual void visit_levels(const History::Visit& visit, const std::function<void()>& done) = 0;
  virtual void visit_done(const History::Visit& visit) = 0;
  virtual void visit_open(const History::Visit& visit) = 0;
  virtual void visit_next(const History::Visit& visit) = 0;
};

}  // namespace strata
