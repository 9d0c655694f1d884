#include "tool/system/signals.h"

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

#include "base/process/leftovers.h"
#include "base/process/run_program.h"
#include "base/process/signal_state.h"
#include "tool/system/last_words.h"

namespace strata {
namespace {

SignalState::Requests& requests = signal_state.requests;

constexpr std::array<int, 5> kStopSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM};

void say(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

// The system sends SIGALRM after this time; 0: never.
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

// True for the first request.
bool request_stop() {
  if (requests.stop.exchange(true)) return false;
  requests.stopped_at = requests.clock.load()();
  stop_programs_in_signal();
  return true;
}

void on_stop(int) {
  const int error = errno;
  if (request_stop()) {
    if (requests.checkpoint.load() != nullptr) {
      say("\nstrata: making a checkpoint, then stopping; repeat the signal to stop at once\n");
    } else {
      set_alarm(kPatience);
      say("\nstrata: stopping; repeat the signal to stop at once\n");
    }
  } else if (requests.clock.load()() - requests.stopped_at >= kSecond.count()) {
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
  if (!requests.stop) return;
  say("strata: stopped before a report could be written\n");
  end_at_once();
}

void say_no_checkpoints() {
  say("strata: SIGUSR2 asks for a checkpoint, but this run has none; --checkpoint DIR enables them\n");
}

void on_checkpoint(int) {
  const int error = errno;
  if (std::atomic<bool>* asked = requests.checkpoint.load())
    *asked = true;
  else if (requests.checkpoints_expected)
    requests.checkpoint_early = true;
  else
    say_no_checkpoints();
  errno = error;
}

void on_disk(int) {
  requests.disk = true;
  requests.progress = true;
}

void on_nothing(int) {}

struct sigaction restarting(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return action;
}

}  // namespace

// A handler that does nothing: child programs would inherit SIG_IGN.
void survive_requests() {
  const struct sigaction nothing = restarting(on_nothing), checkpoint = restarting(on_checkpoint);
  for (const int number : {SIGUSR1, SIGXFSZ}) sigaction(number, &nothing, nullptr);
  sigaction(SIGUSR2, &checkpoint, nullptr);
}

int64_t monotonic_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

StopSignals::StopSignals(SignalClock clock) {
  requests.stop = false;
  requests.clock = clock;
  allow_programs();
  for (size_t i = 0; i < kStopSignals.size(); ++i) {
    const int number = kStopSignals[i];
    const struct sigaction action = restarting(number == SIGPIPE   ? on_broken_pipe
                                               : number == SIGALRM ? on_alarm
                                                                   : on_stop);
    sigaction(number, &action, &old_[i]);
    // Under nohup, SIGHUP stays ignored.
    if (number == SIGHUP && old_[i].sa_handler == SIG_IGN) sigaction(number, &old_[i], nullptr);
  }
}

StopSignals::~StopSignals() {
  set_alarm(std::chrono::milliseconds(0));
  // The command is about to end and has reported: later signals must not change its exit code.
  for (size_t i = 0; i < kStopSignals.size(); ++i) {
    const int number = kStopSignals[i];
    const bool asks = number == SIGINT || number == SIGTERM || number == SIGHUP;
    if (asks && old_[i].sa_handler == SIG_DFL) old_[i] = restarting(on_nothing);
    sigaction(number, &old_[i], nullptr);
  }
  allow_programs();
}

const std::atomic<bool>& StopSignals::stop() const { return requests.stop; }

CheckpointSignal::CheckpointSignal(bool expected) {
  requests.checkpoint = nullptr;
  requests.checkpoints_expected = expected;
  const struct sigaction action = restarting(on_checkpoint);
  sigaction(SIGUSR2, &action, &old_);
  if (!expected && requests.checkpoint_early.exchange(false)) say_no_checkpoints();
}

CheckpointSignal::~CheckpointSignal() {
  sigaction(SIGUSR2, &old_, nullptr);
  requests.checkpoint = nullptr;
  requests.checkpoints_expected = true;
}

void CheckpointSignal::serve(std::atomic<bool>& asked) {
  requests.checkpoint = &asked;
  if (requests.checkpoint_early.exchange(false)) asked = true;
}

DiskSignal::DiskSignal() {
  requests.disk = false;
  requests.progress = false;
  const struct sigaction disk = restarting(on_disk);
  sigaction(SIGUSR1, &disk, &old_disk_);
  const struct sigaction size = restarting(SIG_IGN);
  sigaction(SIGXFSZ, &size, &old_size_);
}

DiskSignal::~DiskSignal() {
  sigaction(SIGUSR1, &old_disk_, nullptr);
  sigaction(SIGXFSZ, &old_size_, nullptr);
}

const std::atomic<bool>& DiskSignal::to_disk() const { return requests.disk; }
std::atomic<bool>& DiskSignal::progress() const { return requests.progress; }

}  // namespace strata
