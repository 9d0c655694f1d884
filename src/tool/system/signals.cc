#include "tool/system/signals.h"

#include <unistd.h>

#include <cerrno>

#include "store/log/disk_space.h"

namespace strata {
namespace {

// A signal handler can reach nothing but static data.
std::atomic<bool> stop_requested{false};
std::atomic<bool> disk_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_stop(int) {
  if (stop_requested.exchange(true)) {
    DiskSpace::remove_all_in_signal();
    _exit(130);
  }
  const int error = errno;
  constexpr char kText[] = "\nStrata: stopping; once more to stop at once.\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText, sizeof kText - 1);
  errno = error;
}

void on_disk(int) { disk_requested = true; }

struct sigaction restarting(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return action;
}

}  // namespace

StopSignals::StopSignals() {
  stop_requested = false;
  const struct sigaction stop = restarting(on_stop);
  sigaction(SIGINT, &stop, &old_interrupt_);
  sigaction(SIGTERM, &stop, &old_terminate_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

const std::atomic<bool>& StopSignals::stop() const { return stop_requested; }

DiskSignal::DiskSignal() {
  disk_requested = false;
  const struct sigaction disk = restarting(on_disk);
  sigaction(SIGUSR1, &disk, &old_disk_);
  const struct sigaction size = restarting(SIG_IGN);
  sigaction(SIGXFSZ, &size, &old_size_);
}

DiskSignal::~DiskSignal() {
  sigaction(SIGUSR1, &old_disk_, nullptr);
  sigaction(SIGXFSZ, &old_size_, nullptr);
}

const std::atomic<bool>& DiskSignal::to_disk() const { return disk_requested; }

}  // namespace strata
