#include "tool/lsp/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace strata {
namespace {

constexpr size_t kMostInput = 32 << 10;  // less than a pipe holds

class Pipe {
 public:
  Pipe() { good_ = ::pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    for (const int end : ends_)
      if (end >= 0) ::close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool good() const { return good_; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  int take_reader() { return std::exchange(ends_[0], -1); }

 private:
  int ends_[2] = {-1, -1};
  bool good_;
};

}  // namespace

ChildProcess::~ChildProcess() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  for (const Stream& stream : streams_)
    if (stream.descriptor >= 0) ::close(stream.descriptor);
}

Status ChildProcess::start(const std::vector<std::string>& arguments, const std::string& input) {
  Pipe in, out, errors;
  if (input.size() > kMostInput) return Status::usage("the input is too long");
  if (!in.good() || !out.good() || !errors.good())
    return Status::system(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::vector<std::string> words = {"strata"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.reader(), 0);
  posix_spawn_file_actions_adddup2(&actions, out.writer(), 1);
  posix_spawn_file_actions_adddup2(&actions, errors.writer(), 2);
  const int error = ::posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    process_ = -1;
    return Status::system(fmt::format("cannot start strata: {}", std::strerror(error)));
  }
  for (size_t done = 0; done < input.size();) {
    const ssize_t written = ::write(in.writer(), input.data() + done, input.size() - done);
    if (written < 0 && errno != EINTR) break;
    done += written > 0 ? static_cast<size_t>(written) : 0;
  }
  streams_[0].descriptor = out.take_reader();
  streams_[1].descriptor = errors.take_reader();
  for (const Stream& stream : streams_) ::fcntl(stream.descriptor, F_SETFL, O_NONBLOCK);
  return {};
}

void ChildProcess::take(Stream& stream) {
  std::array<char, 1 << 14> buffer;
  while (stream.descriptor >= 0) {
    const ssize_t got = ::read(stream.descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      ::close(stream.descriptor);
      stream.descriptor = -1;
      return;
    }
    const size_t room = kMostOutput - std::min(kMostOutput, stream.text.size());
    stream.text.append(buffer.data(), std::min(room, static_cast<size_t>(got)));
    stream.cut = stream.cut || room < static_cast<size_t>(got);
  }
}

bool ChildProcess::advance() {
  for (Stream& stream : streams_) take(stream);
  if (process_ < 0) return true;
  if (streams_[0].descriptor >= 0 || streams_[1].descriptor >= 0) return false;
  int status = 0;
  const pid_t ended = ::waitpid(process_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  process_ = -1;
  // Without a status, as where the parent of this process has it ignore SIGCHLD, nobody knows how the run ended.
  if (ended < 0)
    exit_code_ = 153;
  else
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

void ChildProcess::interrupt() {
  if (process_ > 0) ::kill(process_, interrupted_ ? SIGKILL : SIGINT);
  interrupted_ = true;
}

}  // namespace strata
