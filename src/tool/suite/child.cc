#include "tool/suite/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/process/signal_state.h"

namespace strata {
namespace {

SignalState::Child& running = signal_state.child;

constexpr std::array<int, 3> kHandedOn = {SIGINT, SIGTERM, SIGHUP};
// How many bytes of a run's standard error are kept.
constexpr size_t kKept = 64 << 10;

void hand_on(int number) {
  const int error = errno;
  running.stopped_by = number;
  // A signal of the terminal reaches the run by itself; a second one within a moment does no harm.
  if (const pid_t child = running.process; child > 0) kill(child, SIGTERM);
  errno = error;
}

Status cannot(const char* what) {
  return Status::system(fmt::format("cannot {} a process for the run: {}", what, std::strerror(errno)));
}

[[noreturn]] void become(const std::vector<std::string>& arguments, ChildOutput output, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (output == ChildOutput::hidden) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
  }
  dup2(errors, STDERR_FILENO);
  std::vector<char*> words = {const_cast<char*>("strata")};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv("/proc/self/exe", words.data());
  _exit(153);
}

// A copy of this process, in which signals have their default effect: a copy that still had the suite's handler would
// take a signal that comes before it becomes the run, and do nothing. Signals wait until the handler knows the process.
pid_t fork_run() {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  const pid_t process = fork();
  if (process == 0) {
    for (const int number : kHandedOn) {
      struct sigaction action {};
      sigaction(number, nullptr, &action);
      if (action.sa_handler == hand_on) signal(number, SIG_DFL);
    }
  } else if (process > 0) {
    running.process = process;
  }
  const int error = errno;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return process;
}

// Copies the run's output until the run closes it.
std::string read_errors(int descriptor, ChildOutput output) {
  std::string kept;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t got = read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    const auto size = static_cast<size_t>(got);
    if (output == ChildOutput::shown) {
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, buffer.data(), size);
    }
    kept.append(buffer.data(), size);
    if (kept.size() > 2 * kKept) kept.erase(0, kept.size() - kKept);
  }
  return kept;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildSignals::ChildSignals() {
  running.stopped_by = 0;
  struct sigaction action {};
  action.sa_handler = hand_on;
  for (size_t i = 0; i < kHandedOn.size(); ++i) {
    sigaction(kHandedOn[i], &action, &old_[i]);
    // Under nohup, SIGHUP stays ignored.
    if (old_[i].sa_handler == SIG_IGN) sigaction(kHandedOn[i], &old_[i], nullptr);
  }
}

ChildSignals::~ChildSignals() {
  for (size_t i = 0; i < kHandedOn.size(); ++i) sigaction(kHandedOn[i], &old_[i], nullptr);
}

bool ChildSignals::stopped() const { return running.stopped_by != 0; }

Result<ChildEnd> run_child(const std::vector<std::string>& arguments, ChildOutput output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot("begin");
  const pid_t child = fork_run();
  if (child < 0) {
    const Status status = cannot("begin");
    close(ends[0]);
    close(ends[1]);
    return status;
  }
  if (child == 0) become(arguments, output, ends[1]);
  // A signal that came before the handler knew the process.
  if (running.stopped_by != 0) kill(child, SIGTERM);
  close(ends[1]);
  ChildEnd end;
  end.errors = read_errors(ends[0], output);
  close(ends[0]);
  end.exit_code = wait_for(child);
  running.process = 0;
  return end;
}

}  // namespace strata
