#include "lang/dve/template.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

extern char** environ;

namespace strata::embedded {
extern const char* const kDvePrelude;
}  // namespace strata::embedded

namespace strata::dve {
namespace {

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<FILE, CloseFile>;

Status cannot(const SourceFile& file, const std::string& why) {
  return Status::system(fmt::format("cannot expand the template '{}': {}", file.name(), why));
}

std::string contents(FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[1 << 16];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

// Runs the command with these files as its standard input, output and error; its status as waitpid gives it, or -1 with
// errno.
int run(const std::vector<std::string>& command, FILE* in, FILE* out, FILE* errors) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in), 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors), 2);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    errno = error;
    return -1;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

}  // namespace

bool is_template(const std::string& path) { return path.ends_with(".mdve"); }

Result<SourceFile> expand_template(const SourceFile& file,
                                   const std::vector<std::pair<std::string, std::string>>& defines) {
  const TemporaryFile in(std::tmpfile()), out(std::tmpfile()), errors(std::tmpfile());
  if (in == nullptr || out == nullptr || errors == nullptr) return cannot(file, std::strerror(errno));
  const std::string text = std::string(embedded::kDvePrelude) + std::string(file.text());
  if (std::fwrite(text.data(), 1, text.size(), in.get()) != text.size() || std::fflush(in.get()) != 0)
    return cannot(file, std::strerror(errno));
  std::rewind(in.get());
  std::vector<std::string> command = {"m4"};
  for (const auto& [name, value] : defines) command.push_back(fmt::format("-D{}={}", name, value));
  const int status = run(command, in.get(), out.get(), errors.get());
  if (status == -1 && errno == ENOENT)
    return cannot(file,
                  "there is no m4; install it (Debian: apt-get install m4), or check the expanded .dve file");
  if (status == -1) return cannot(file, fmt::format("m4: {}", std::strerror(errno)));
  if (status != 0)
    return Status::model(fmt::format("{}: m4 failed:\n{}", file.name(), contents(errors.get())));
  return SourceFile(file.name() + " (expanded)", contents(out.get()));
}

}  // namespace strata::dve
