// ^C and SIGTERM ask a search to end in order; a second one ends the process at once.
#pragma once

#include <signal.h>

#include <atomic>

namespace strata {

class StopSignals {
 public:
  // Takes both signals over until the destructor gives them back. At most one object at a time.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // True once a signal came.
  const std::atomic<bool>& stop() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace strata
