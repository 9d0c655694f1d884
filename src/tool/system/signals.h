// What a running search is asked from outside. ^C and SIGTERM ask it to end in order; a second one ends the process at
// once, and removes the run folder on the way. SIGUSR1 asks it to go from RAM to disk. SIGXFSZ is ignored: a file that may
// not grow further (ulimit -f) is an error of the write, which ends the search in order.
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

class DiskSignal {
 public:
  // Takes SIGUSR1 and SIGXFSZ over until the destructor gives them back. At most one object at a time.
  DiskSignal();
  ~DiskSignal();
  DiskSignal(const DiskSignal&) = delete;
  DiskSignal& operator=(const DiskSignal&) = delete;

  // True once the signal came.
  const std::atomic<bool>& to_disk() const;

 private:
  struct sigaction old_disk_ {};
  struct sigaction old_size_ {};
};

}  // namespace strata
