#include "lang/dve/template.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "base/process/leftovers.h"
#include "base/process/run_program.h"
#include "lang/dve/includes.h"

namespace strata::embedded {
extern const char* const kDvePrelude;
}  // namespace strata::embedded

namespace strata::dve {
namespace {

// BEEM's largest template takes a hundredth of a second and 30 MB.
constexpr unsigned kSeconds = 10;
constexpr uint64_t kMemory = uint64_t{512} << 20;
constexpr uint64_t kLargestText = uint64_t{16} << 20;
constexpr size_t kLongestMessage = 2000;

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<FILE, CloseFile>;

// The folder in which m4 stores large diversions. Removed with its contents, because m4 may have been killed.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (std::filesystem::temp_directory_path(error) / "strata-m4-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr) return;
    path_.emplace(pattern);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (path_) std::filesystem::remove_all(path_->path(), ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const Leftover* path() const { return path_ ? &*path_ : nullptr; }

 private:
  std::optional<Leftover> path_;
};

Status cannot(const SourceFile& file, const std::string& why) {
  return Status::system(fmt::format("cannot expand the template '{}': {}", file.name(), why));
}

std::string contents(FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[1 << 14];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

// The error output of m4, made safe for a terminal: a template can print anything.
std::string message_of(FILE* errors) {
  std::string text = contents(errors).substr(0, kLongestMessage);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') c = '?';
  return text;
}

Program m4(const std::vector<std::pair<std::string, std::string>>& defines) {
  Program program;
  program.command = {"m4"};
  for (const auto& [name, value] : defines) program.command.push_back(fmt::format("-D{}={}", name, value));
  program.without = {"M4PATH", "POSIXLY_CORRECT"};
  program.seconds = kSeconds;
  program.memory = kMemory;
  program.file_bytes = kLargestText;
  return program;
}

Status check_end(const SourceFile& file, const ProgramEnd& end, FILE* errors) {
  switch (end.kind) {
    case ProgramEnd::Kind::exited:
      if (end.number == 0) return {};
      return Status::model(fmt::format("{}: m4 failed:\n{}", file.name(), message_of(errors)));
    case ProgramEnd::Kind::signalled:
      if (end.number == SIGXFSZ)
        return Status::model(
            fmt::format("{}: the expanded text is larger than {} MiB", file.name(), kLargestText >> 20));
      return Status::model(fmt::format("{}: m4 was ended by signal {} ({})", file.name(), end.number,
                                       ::strsignal(end.number)));
    case ProgramEnd::Kind::timed_out:
      return Status::model(fmt::format("{}: m4 did not end within {} seconds; does a macro call itself?",
                                       file.name(), kSeconds));
    case ProgramEnd::Kind::stopped:
      return {StatusCode::interrupted, "interrupted while the template was expanded"};
    case ProgramEnd::Kind::not_started: break;
  }
  if (end.number == ENOENT)
    return cannot(file,
                  "m4 is not installed; install it (Debian: apt-get install m4), or check the expanded .dve "
                  "file");
  return cannot(file, fmt::format("m4: {}", std::strerror(end.number)));
}

}  // namespace

bool is_template(const std::string& path) { return path.ends_with(".mdve"); }

Result<SourceFile> expand_template(const SourceFile& file,
                                   const std::vector<std::pair<std::string, std::string>>& defines,
                                   std::vector<SourceFile>* sources) {
  const Result<std::string> whole = expand_includes(file, sources);
  if (!whole.ok()) return whole.status();
  const TemporaryFile in(std::tmpfile()), out(std::tmpfile()), errors(std::tmpfile());
  if (in == nullptr || out == nullptr || errors == nullptr) return cannot(file, std::strerror(errno));
  const std::string text = embedded::kDvePrelude + *whole;
  if (std::fwrite(text.data(), 1, text.size(), in.get()) != text.size() || std::fflush(in.get()) != 0)
    return cannot(file, std::strerror(errno));
  std::rewind(in.get());
  const TemporaryFolder folder;
  Program program = m4(defines);
  program.files = {fileno(in.get()), fileno(out.get()), fileno(errors.get())};
  if (folder.path() != nullptr) program.variables = {{"TMPDIR", folder.path()->path()}};
  if (Status status = check_end(file, run_program(program), errors.get()); !status.ok()) return status;
  return SourceFile(file.name() + " (expanded)", contents(out.get()));
}

}  // namespace strata::dve
