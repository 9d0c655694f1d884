#include "tool/signals.h"

#include <unistd.h>

namespace strata {
namespace {

// A signal handler can reach nothing but static data.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
  if (stop_requested.exchange(true)) _exit(130);
  constexpr char kText[] = "\nStrata: stopping; once more to stop at once.\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText, sizeof kText - 1);
}

}  // namespace

StopSignals::StopSignals() {
  stop_requested = false;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

const std::atomic<bool>& StopSignals::stop() const { return stop_requested; }

}  // namespace strata
