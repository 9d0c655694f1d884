#include "lang/dve/template.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/process.h"

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
  const int status = run_program(command, {fileno(in.get()), fileno(out.get()), fileno(errors.get())});
  if (status == -1 && errno == ENOENT)
    return cannot(file,
                  "there is no m4; install it (Debian: apt-get install m4), or check the expanded .dve file");
  if (status == -1) return cannot(file, fmt::format("m4: {}", std::strerror(errno)));
  if (status != 0)
    return Status::model(fmt::format("{}: m4 failed:\n{}", file.name(), contents(errors.get())));
  return SourceFile(file.name() + " (expanded)", contents(out.get()));
}

}  // namespace strata::dve
