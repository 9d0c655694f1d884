#include "base/process/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>

#include "base/process/signal_state.h"

extern char** environ;

namespace strata {
namespace {

SignalState::Programs& programs = signal_state.programs;

// Registers a group for the signal handler during its lifetime. If all places are taken, only the death of this process
// ends the group early.
class KnownGroup {
 public:
  explicit KnownGroup(pid_t group) {
    for (std::atomic<pid_t>& place : programs.groups) {
      pid_t none = 0;
      if (!place.compare_exchange_strong(none, group)) continue;
      place_ = &place;
      break;
    }
    // The signal may have come before the group was known.
    if (programs.stopped) ::kill(-group, SIGKILL);
  }
  ~KnownGroup() {
    if (place_ != nullptr) place_->store(0);
  }
  KnownGroup(const KnownGroup&) = delete;
  KnownGroup& operator=(const KnownGroup&) = delete;

 private:
  std::atomic<pid_t>* place_ = nullptr;
};

// ---- Everything that the new processes need is made before fork: between fork and exec, nothing may be allocated.

class Prepared {
 public:
  explicit Prepared(const Program& program) : program_(program) {
    for (const std::string& word : program.command) words_.push_back(const_cast<char*>(word.c_str()));
    words_.push_back(nullptr);
    for (char** variable = environ; *variable != nullptr; ++variable)
      if (!replaced(*variable)) texts_.emplace_back(*variable);
    for (const auto& [name, value] : program.variables) texts_.push_back(name + "=" + value);
    for (const std::string& text : texts_) environment_.push_back(const_cast<char*>(text.c_str()));
    environment_.push_back(nullptr);
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const Program& program() const { return program_; }
  // Becomes the program, or returns.
  void execute() const { ::execvpe(words_[0], words_.data(), environment_.data()); }

 private:
  bool replaced(const std::string& variable) const {
    const std::string name = variable.substr(0, variable.find('='));
    for (const auto& [own, value] : program_.variables)
      if (own == name) return true;
    for (const std::string& other : program_.without)
      if (other == name) return true;
    return false;
  }

  const Program& program_;
  std::vector<std::string> texts_;
  std::vector<char*> words_, environment_;
};

// ---- In the new processes. Only what a signal handler might call, too.

void end_group(int) {
  ::kill(0, SIGKILL);
  ::_exit(1);
}

void default_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGUSR1, SIGXFSZ})
    ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void limit(decltype(RLIMIT_AS) what, uint64_t bytes) {
  if (bytes == 0) return;
  const rlimit both{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  ::setrlimit(what, &both);
}

// A compiler may need a larger stack than this process has; raise the limit if the system allows.
void raise_stack() {
  constexpr rlim_t kStack = 64 << 20;
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kStack) return;
  stack.rlim_cur = kStack;
  stack.rlim_max = stack.rlim_max < kStack ? kStack : stack.rlim_max;
  ::setrlimit(RLIMIT_STACK, &stack);
}

void use_files(const StandardFiles& files) {
  const int in = files.in >= 0 ? files.in : ::open("/dev/null", O_RDONLY);
  const int given[] = {in, files.out, files.errors};
  for (int number = 0; number < 3; ++number)
    if (given[number] >= 0) ::dup2(given[number], number);
}

// Whom to tell, and why the program did not start.
[[noreturn]] void cannot_start(int report) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

[[noreturn]] void become(const Prepared& prepared, int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  default_signals();
  use_files(prepared.program().files);
  raise_stack();
  limit(RLIMIT_AS, prepared.program().memory);
  limit(RLIMIT_FSIZE, prepared.program().file_bytes);
  prepared.execute();
  cannot_start(report);
}

// Ends as the program ended.
[[noreturn]] void end_as(int status) {
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(WTERMSIG(status), SIG_DFL);
  ::kill(::getpid(), WTERMSIG(status));
  ::_exit(1);
}

[[noreturn]] void watch(const Prepared& prepared, pid_t parent, int report) {
  ::setpgid(0, 0);
  default_signals();
  ::signal(SIGTERM, end_group);
  ::signal(SIGALRM, end_group);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  const pid_t child = ::fork();
  if (child < 0) cannot_start(report);
  if (child == 0) become(prepared, report);
  ::close(report);
  ::alarm(prepared.program().seconds);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) ::_exit(1);
  end_as(status);
}

// ---- In this process

// 0 when the program started.
int error_reported(int report) {
  int error = 0;
  while (true) {
    const ssize_t count = ::read(report, &error, sizeof error);
    if (count == static_cast<ssize_t>(sizeof error)) return error;
    if (count >= 0 || errno != EINTR) return 0;
  }
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

ProgramEnd end_of(int status, bool time_over) {
  if (WIFEXITED(status)) return {ProgramEnd::Kind::exited, WEXITSTATUS(status)};
  if (programs.stopped) return {ProgramEnd::Kind::stopped, 0};
  if (time_over) return {ProgramEnd::Kind::timed_out, 0};
  return {ProgramEnd::Kind::signalled, WTERMSIG(status)};
}

}  // namespace

ProgramEnd run_program(const Program& program) {
  if (programs.stopped) return {ProgramEnd::Kind::stopped, 0};
  const Prepared prepared(program);
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return {ProgramEnd::Kind::not_started, errno};
  const auto begin = std::chrono::steady_clock::now();
  const pid_t self = ::getpid();
  const pid_t watcher = ::fork();
  if (watcher == 0) watch(prepared, self, report[1]);
  int error = watcher < 0 ? errno : 0;
  ::close(report[1]);
  int status = 0;
  if (watcher > 0) {
    // Here too, because either process may run first.
    ::setpgid(watcher, watcher);
    const KnownGroup group(watcher);
    error = error_reported(report[0]);
    status = wait_for(watcher);
  }
  ::close(report[0]);
  if (error != 0) return {ProgramEnd::Kind::not_started, error};
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return end_of(status, program.seconds > 0 && elapsed.count() >= program.seconds);
}

void stop_programs_in_signal() {
  programs.stopped = true;
  for (const std::atomic<pid_t>& place : programs.groups)
    if (const pid_t group = place; group > 0) ::kill(-group, SIGKILL);
}

void allow_programs() { programs.stopped = false; }

bool programs_stopped() { return programs.stopped; }

}  // namespace strata
