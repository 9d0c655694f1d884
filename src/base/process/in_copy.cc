#include "base/process/in_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "base/process/out_of_memory.h"

namespace strata {
namespace {

// Comes before the text, which is the result or the message of the status.
struct Header {
  uint64_t bytes = 0;
  StatusCode code = StatusCode::ok;
  Reason reason = Reason::none;
};

// ---- In the copy

// Requests to this process are none to the copy, which this process ends; faults end it as they end any program.
void copys_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM}) ::signal(number, SIG_IGN);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXFSZ, SIGPIPE, SIGQUIT})
    ::signal(number, SIG_DFL);
}

// Locks of files, and devices, belong to this process alone. An old system keeps them until the copy ends.
void close_all_but(int kept) {
  static_cast<void>(::close_range(STDERR_FILENO + 1, static_cast<unsigned>(kept) - 1, 0));
  static_cast<void>(::close_range(static_cast<unsigned>(kept) + 1, UINT_MAX, 0));
}

bool write_all(int to, const void* from, size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t count = ::write(to, at, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

// Whatever the work throws ends the copy alone.
Result<std::string> result_of(const std::function<Result<std::string>()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status::system(kOutOfMemory);
  } catch (const std::exception& error) {
    return Status::internal(error.what());
  }
}

[[noreturn]] void do_work(const std::function<Result<std::string>()>& work, pid_t parent, int to) noexcept {
  // What is to be done at the end of this process is not for the copy, even if a library calls exit().
  static_cast<void>(std::atexit([] { ::_exit(1); }));
  std::set_terminate(std::abort);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  close_all_but(to);
  const Result<std::string> result = result_of(work);
  const std::string text = result.ok() ? *result : result.status().message();
  const Header header{text.size(), result.status().code(), result.status().reason()};
  const bool told = write_all(to, &header, sizeof header) && write_all(to, text.data(), text.size());
  ::_exit(told ? 0 : 1);
}

// ---- In this process

// The copy, killed at the latest when this object goes away.
class Copy {
 public:
  explicit Copy(pid_t process) : process_(process) {}
  ~Copy() {
    if (process_ > 0) ::kill(process_, SIGKILL);
    wait(0);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  // Whether it has ended, and how.
  bool ended() { return wait(WNOHANG); }
  std::string end() const {
    if (!is_known_) return "an end that the system does not tell";
    return WIFSIGNALED(status_)
               ? fmt::format("signal {} ({})", WTERMSIG(status_), ::strsignal(WTERMSIG(status_)))
               : fmt::format("exit code {}", WEXITSTATUS(status_));
  }

 private:
  bool wait(int options) {
    while (process_ > 0) {
      const pid_t found = ::waitpid(process_, &status_, options);
      if (found < 0 && errno == EINTR) continue;
      // A program that ignores SIGCHLD is told nothing.
      if (found < 0) is_known_ = false;
      if (found != 0) process_ = -1;
      break;
    }
    return process_ <= 0;
  }

  pid_t process_;
  int status_ = 0;
  bool is_known_ = true;
};

// What the copy has told, in pieces.
class Answer {
 public:
  explicit Answer(int from) : from_(from) {}
  ~Answer() { ::close(from_); }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  // Waits a moment for more. False: nothing came.
  bool read_more() {
    constexpr int kMoment = 20;  // milliseconds: how soon `cancel` is heard
    pollfd event{from_, POLLIN, 0};
    if (::poll(&event, 1, kMoment) <= 0) return false;
    char buffer[16 << 10];
    const ssize_t count = ::read(from_, buffer, sizeof buffer);
    if (count > 0) told_.append(buffer, static_cast<size_t>(count));
    return count > 0;
  }
  std::optional<Result<std::string>> whole() const {
    Header header;
    if (told_.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, told_.data(), sizeof header);
    if (told_.size() < sizeof header + header.bytes) return std::nullopt;
    std::string text = told_.substr(sizeof header);
    if (header.code == StatusCode::ok) return Result<std::string>(std::move(text));
    return Result<std::string>(Status(header.code, std::move(text), header.reason));
  }

 private:
  const int from_;
  std::string told_;
};

bool is_set(const std::atomic<bool>* flag) { return flag != nullptr && *flag; }

// The ends of a pipe, neither of which is a standard file. False: the system refused.
bool make_pipe(int ends[2]) {
  int made[2];
  if (::pipe2(made, O_CLOEXEC) != 0) return false;
  for (int i = 0; i < 2; ++i) ends[i] = ::fcntl(made[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  for (int end : made) ::close(end);
  if (ends[0] >= 0 && ends[1] >= 0) return true;
  for (int i = 0; i < 2; ++i)
    if (ends[i] >= 0) ::close(ends[i]);
  return false;
}

// Signals wait until the copy has its own answers to them. 0: in the copy; negative: the system refused.
pid_t fork_copy() {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t process = ::fork();
  if (process == 0) copys_signals();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return process;
}

}  // namespace

Result<std::string> in_copy_of_process(const std::string& name,
                                       const std::function<Result<std::string>()>& work,
                                       const std::atomic<bool>* cancel) {
  int ends[2];
  if (!make_pipe(ends)) return work();
  Answer answer(ends[0]);
  const pid_t self = ::getpid();
  const pid_t process = fork_copy();
  if (process == 0) do_work(work, self, ends[1]);
  ::close(ends[1]);
  if (process < 0) return work();
  Copy copy(process);
  while (true) {
    // Whether it had ended before the last look at what it told.
    const bool ended = copy.ended();
    const bool more = answer.read_more();
    if (std::optional<Result<std::string>> result = answer.whole()) return *std::move(result);
    if (is_set(cancel)) return Status(StatusCode::interrupted, name + " was stopped");
    if (ended && !more)
      return Status::system(fmt::format("the process of {} ended with {}", name, copy.end()));
  }
}

}  // namespace strata
