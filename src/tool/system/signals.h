// What a running command is asked from outside.
//
// ^C (SIGINT), SIGTERM and SIGHUP ask it to end. Programs that it runs (a compiler, m4) are killed at once; a
// search ends in order, with what it has. If that takes longer than kPatience, or when another such signal
// comes later than kSecond after the first, the process ends at once: what must not outlive it is removed,
// and it says its last words. (`timeout` and shells send a signal to the process and again to its group: that
// is one request.)
//
// A run with checkpoints makes one before it ends, however long that takes: there is no kPatience then.
// SIGUSR2 asks for a checkpoint and nothing else.
//
// SIGPIPE, nobody reads what is printed, asks it to end as well; what cannot be printed is an error of the
// write. SIGUSR1 asks for a line of progress, and `serial` to go from RAM to disk. SIGXFSZ is ignored: a file
// that may not grow further (ulimit -f) is an error of the write, which ends the search in order.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>

namespace strata {

constexpr std::chrono::milliseconds kSecond{500};
constexpr std::chrono::milliseconds kPatience{1500};

// To be called first of all: until the process is gone SIGUSR1, SIGUSR2 and SIGXFSZ do not end it, whether
// somebody serves them or not.
void survive_requests();

class StopSignals {
 public:
  // Takes the signals over. After the destructor ^C, SIGTERM and SIGHUP do nothing, as the command is at its
  // end, and the others are what they were. At most one object at a time.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // True once a signal came.
  const std::atomic<bool>& stop() const;

 private:
  std::array<struct sigaction, 5> old_{};
};

class CheckpointSignal {
 public:
  // Takes SIGUSR2 over until the destructor gives it back. A run that is expected to have checkpoints makes
  // one as soon as it has them if somebody asked before; any other says that it has none. At most one object
  // at a time.
  explicit CheckpointSignal(bool expected = false);
  ~CheckpointSignal();
  CheckpointSignal(const CheckpointSignal&) = delete;
  CheckpointSignal& operator=(const CheckpointSignal&) = delete;

  // From now on the run has checkpoints: the signal sets this, which must outlive the object.
  void serve(std::atomic<bool>& asked);

 private:
  struct sigaction old_ {};
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
  // The same, until somebody sets it back.
  std::atomic<bool>& progress() const;

 private:
  struct sigaction old_disk_ {};
  struct sigaction old_size_ {};
};

}  // namespace strata
