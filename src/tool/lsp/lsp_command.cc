#include "tool/lsp/lsp_command.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include "lsp/protocol/message_stream.h"
#include "lsp/server.h"
#include "tool/lsp/lsp_jobs.h"

namespace strata {
namespace {

// How long to wait before a changed document is analysed; more changes may follow at once.
constexpr int kPauseMilliseconds = 30;
// How often to ask jobs whose output says nothing.
constexpr int kJobMilliseconds = 200;

void write_all(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

// Waits for input or for news of a job. True: there is input.
bool wait(const std::vector<int>& jobs, int milliseconds) {
  std::vector<pollfd> all = {{STDIN_FILENO, POLLIN, 0}};
  for (const int job : jobs)
    if (job >= 0) all.push_back({job, POLLIN, 0});
  return ::poll(all.data(), all.size(), milliseconds) > 0 && all[0].revents != 0;
}

// Reads what is there. False: the input has ended.
bool read_input(lsp::MessageStream& stream) {
  std::array<char, 1 << 16> buffer;
  const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  stream.feed(std::string_view(buffer.data(), static_cast<size_t>(got)));
  return got > 0;
}

}  // namespace

int lsp_command() {
  ::signal(SIGPIPE, SIG_IGN);
  LspCommands commands;
  lsp::Server server(STRATA_VERSION, commands,
                     [](const lsp::Json& message) { write_all(lsp::framed(lsp::to_text(message))); });
  lsp::MessageStream stream;
  bool waiting = false;  // there are changed documents
  while (!server.ended()) {
    const std::vector<int> jobs = server.job_descriptors();
    const int pause = waiting ? kPauseMilliseconds : jobs.empty() ? -1 : kJobMilliseconds;
    const bool input = wait(jobs, pause);
    if (input && !read_input(stream)) break;
    if (!jobs.empty()) {
      server.advance_jobs();
      waiting = true;  // the end of a check changes what is shown
    }
    while (const auto message = stream.next()) {
      if (message->problem.empty())
        server.receive(message->body);
      else
        server.complain(message->problem);
      waiting = true;
    }
    if (!input && waiting) waiting = server.idle();
  }
  return server.exit_code();
}

}  // namespace strata
