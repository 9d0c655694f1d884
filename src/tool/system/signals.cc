#include "tool/system/signals.h"

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

#include "base/process/leftovers.h"
#include "base/process/run_program.h"
#include "tool/system/last_words.h"

namespace strata {
namespace {

// A signal handler can reach nothing but static data.
std::atomic<bool> stop_requested{false};
std::atomic<int64_t> requested_at{0};  // milliseconds
std::atomic<bool> disk_requested{false}, progress_requested{false};
std::atomic<std::atomic<bool>*> checkpoint_requested{
    nullptr};  // null: the run has no checkpoints, or not yet
// Whether it may have some later, and somebody has asked for one.
std::atomic<bool> checkpoints_expected{true}, checkpoint_requested_early{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free);

constexpr std::array<int, 5> kStopSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM};

void say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// SIGALRM comes when the time is over; 0: never.
void set_alarm(std::chrono::milliseconds time) {
  itimerval timer{};
  timer.it_value.tv_sec = time.count() / 1000;
  timer.it_value.tv_usec = time.count() % 1000 * 1000;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

[[noreturn]] void end_at_once() {
  stop_programs_in_signal();
  remove_leftovers_in_signal();
  say_last_words_in_signal();
  _exit(130);
}

// True the first time.
bool request_stop() {
  if (stop_requested.exchange(true)) return false;
  requested_at = milliseconds();
  stop_programs_in_signal();
  return true;
}

void on_stop(int) {
  const int error = errno;
  if (request_stop()) {
    if (checkpoint_requested.load() != nullptr) {
      say("\nStrata: making a checkpoint, then stopping; once more to stop at once.\n");
    } else {
      set_alarm(kPatience);
      say("\nStrata: stopping; once more to stop at once.\n");
    }
  } else if (milliseconds() - requested_at >= kSecond.count()) {
    end_at_once();
  }
  errno = error;
}

void on_broken_pipe(int) {
  const int error = errno;
  request_stop();
  errno = error;
}

void on_alarm(int) {
  if (!stop_requested) return;
  say("Strata: ended without a report, which would have taken longer.\n");
  end_at_once();
}

void say_no_checkpoints() {
  say("Strata: SIGUSR2 asks for a checkpoint, and this run has none; --checkpoint DIR makes them.\n");
}

void on_checkpoint(int) {
  const int error = errno;
  if (std::atomic<bool>* asked = checkpoint_requested.load())
    *asked = true;
  else if (checkpoints_expected)
    checkpoint_requested_early = true;
  else
    say_no_checkpoints();
  errno = error;
}

void on_disk(int) {
  disk_requested = true;
  progress_requested = true;
}

void on_nothing(int) {}

struct sigaction restarting(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return action;
}

}  // namespace

// A handler, as a program that is run would inherit that a signal is ignored.
void survive_requests() {
  const struct sigaction nothing = restarting(on_nothing), checkpoint = restarting(on_checkpoint);
  for (const int number : {SIGUSR1, SIGXFSZ}) sigaction(number, &nothing, nullptr);
  sigaction(SIGUSR2, &checkpoint, nullptr);
}

StopSignals::StopSignals() {
  stop_requested = false;
  allow_programs();
  for (size_t i = 0; i < kStopSignals.size(); ++i) {
    const int number = kStopSignals[i];
    const struct sigaction action = restarting(number == SIGPIPE   ? on_broken_pipe
                                               : number == SIGALRM ? on_alarm
                                                                   : on_stop);
    sigaction(number, &action, &old_[i]);
    // nohup is to be obeyed.
    if (number == SIGHUP && old_[i].sa_handler == SIG_IGN) sigaction(number, &old_[i], nullptr);
  }
}

StopSignals::~StopSignals() {
  set_alarm(std::chrono::milliseconds(0));
  // The command is about to end, and has said so: its exit code is that of its report, whatever else comes.
  for (size_t i = 0; i < kStopSignals.size(); ++i) {
    const int number = kStopSignals[i];
    const bool asks = number == SIGINT || number == SIGTERM || number == SIGHUP;
    if (asks && old_[i].sa_handler == SIG_DFL) old_[i] = restarting(on_nothing);
    sigaction(number, &old_[i], nullptr);
  }
  allow_programs();
}

const std::atomic<bool>& StopSignals::stop() const { return stop_requested; }

CheckpointSignal::CheckpointSignal(bool expected) {
  checkpoint_requested = nullptr;
  checkpoints_expected = expected;
  const struct sigaction action = restarting(on_checkpoint);
  sigaction(SIGUSR2, &action, &old_);
  if (!expected && checkpoint_requested_early.exchange(false)) say_no_checkpoints();
}

CheckpointSignal::~CheckpointSignal() {
  sigaction(SIGUSR2, &old_, nullptr);
  checkpoint_requested = nullptr;
  checkpoints_expected = true;
}

void CheckpointSignal::serve(std::atomic<bool>& asked) {
  checkpoint_requested = &asked;
  if (checkpoint_requested_early.exchange(false)) asked = true;
}

DiskSignal::DiskSignal() {
  disk_requested = false;
  progress_requested = false;
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
std::atomic<bool>& DiskSignal::progress() const { return progress_requested; }

}  // namespace strata
