#include "tool/system/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace strata {
namespace {

Status failure(const std::string& option, const std::string& path, const char* operation) {
  return Status::system(
      fmt::format("{} {}: cannot {} the file: {}", option, path, operation, std::strerror(errno)));
}

}  // namespace

Result<OutputFile> OutputFile::open(const std::string& option, const std::string& path) {
  OutputFile file;
  file.option_ = option;
  file.path_ = path;
  if (path == "-") {
    file.descriptor_ = dup(STDOUT_FILENO);
    if (file.descriptor_ < 0) return failure(option, path, "open");
    return file;
  }
  file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  file.created_ = file.descriptor_ >= 0;
  if (!file.created_ && errno == EEXIST)
    file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0) return failure(option, path, "write");
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this == &other) return *this;
  close();
  option_ = std::move(other.option_);
  path_ = std::move(other.path_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  created_ = other.created_;
  written_ = other.written_;
  return *this;
}

OutputFile::~OutputFile() { close(); }

void OutputFile::close() {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  if (created_ && !written_) unlink(path_.c_str());
}

bool OutputFile::is_regular() const {
  struct stat info {};
  return path_ != "-" && fstat(descriptor_, &info) == 0 && S_ISREG(info.st_mode);
}

void OutputFile::discard() {
  if (!is_open()) return;
  if (is_regular()) unlink(path_.c_str());
  written_ = true;
  close();
}

Status OutputFile::begin() {
  written_ = true;
  if (is_regular() && ftruncate(descriptor_, 0) != 0) return failure(option_, path_, "write");
  return {};
}

Status OutputFile::write(const std::string& text) {
  const Status status = begin();
  return status.ok() ? append(text) : status;
}

Status OutputFile::write_pieces(
    const std::function<void(const std::function<void(std::string_view)>&)>& write_all) {
  constexpr size_t kTogether = 64 << 10;
  Status status = begin();
  std::string waiting;
  const auto send = [&] {
    if (status.ok()) status = append(waiting);
    waiting.clear();
  };
  write_all([&](std::string_view piece) {
    waiting += piece;
    if (waiting.size() >= kTogether) send();
  });
  send();
  return status;
}

Status OutputFile::append(std::string_view text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure(option_, path_, "write");
    done += static_cast<size_t>(count);
  }
  return {};
}

Status refuse_overwriting(const std::string& option, const std::string& path, const std::string& model) {
  std::error_code error;
  if (!std::filesystem::equivalent(path, model, error)) return {};
  return Status::usage(
      fmt::format("{} {}: this is the model itself, which would be overwritten", option, path));
}

Result<Outputs> open_outputs(const Options& options) {
  Outputs outputs;
  const std::pair<const char*, const std::string&> requests[] = {{"--json", options.json},
                                                                 {"--trace-file", options.trace_file}};
  for (const auto& [name, path] : requests) {
    if (path.empty()) continue;
    const Status overwriting = refuse_overwriting(name, path, options.model);
    if (!overwriting.ok()) return overwriting;
    Result<OutputFile> file = OutputFile::open(name, path);
    if (!file.ok()) return file.status();
    (&path == &options.json ? outputs.json : outputs.trace) = std::move(*file);
  }
  return outputs;
}

}  // namespace strata
