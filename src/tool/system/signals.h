// Requests to a running command by signals.
//
// SIGINT (^C), SIGTERM and SIGHUP ask the command to end. Programs that it runs (a compiler, m4) are killed
// immediately; a search ends in order and reports what it has found. If that takes longer than kPatience, or if another
// such signal comes later than kSecond after the first, the process ends immediately: it removes its temporary files
// and writes its last words. (`timeout` and shells send a signal to the process and again to its group, which counts as
// one request.)
//
// A run with checkpoints makes one before it ends, however long that takes; kPatience does not apply then. SIGUSR2 asks
// for a checkpoint only.
//
// SIGPIPE (the reader of the output is gone) asks the command to end as well; the write that failed reports the error.
// SIGUSR1 asks for a line of progress, and `serial` to move from RAM to disk. SIGXFSZ is ignored: when a file may not
// grow further (ulimit -f), the write reports the error, and the search ends in order.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace strata {

constexpr std::chrono::milliseconds kSecond{500};
constexpr std::chrono::milliseconds kPatience{1500};

// Call first: from then on SIGUSR1, SIGUSR2 and SIGXFSZ never end the process.
void survive_requests();

// Milliseconds since some moment; a signal handler calls it.
using SignalClock = int64_t (*)();
int64_t monotonic_milliseconds();

class StopSignals {
 public:
  // Installs the handlers. After the destructor SIGINT, SIGTERM and SIGHUP do nothing, because the command is at its
  // end; the other signals have their old handlers. At most one object at a time. The clock tells
  // how far apart two signals are; kPatience is counted by a timer of the system, whose signal is SIGALRM.
  explicit StopSignals(SignalClock clock = monotonic_milliseconds);
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
  // Handles SIGUSR2 until the destructor. A run that is expected to have checkpoints serves an early request as soon as
  // it can; any other run prints that it has none. At most one object at a time.
  explicit CheckpointSignal(bool expected = false);
  ~CheckpointSignal();
  CheckpointSignal(const CheckpointSignal&) = delete;
  CheckpointSignal& operator=(const CheckpointSignal&) = delete;

  // From now on the run has checkpoints: the signal sets `asked`, which must outlive this object.
  void serve(std::atomic<bool>& asked);

 private:
  struct sigaction old_ {};
};

class DiskSignal {
 public:
  // Handles SIGUSR1 and SIGXFSZ until the destructor. At most one object at a time.
  DiskSignal();
  ~DiskSignal();
  DiskSignal(const DiskSignal&) = delete;
  DiskSignal& operator=(const DiskSignal&) = delete;

  // True once the signal came.
  const std::atomic<bool>& to_disk() const;
  // The same; the reader resets it.
  std::atomic<bool>& progress() const;

 private:
  struct sigaction old_disk_ {};
  struct sigaction old_size_ {};
};

}  // namespace strata
