#include "tool/output/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/process/leftovers.h"
#include "base/system/sync_folder.h"
#include "report/ci/junit.h"
#include "report/ci/sarif.h"
#include "report/json/json_report.h"
#include "report/page/page.h"
#include "tool/system/last_words.h"

namespace strata {
namespace {

Status failure(const std::string& option, const std::string& path, const char* operation) {
  return Status::system(
      fmt::format("{} {}: cannot {} the file: {}", option, path, operation, std::strerror(errno)));
}

Status write_all(int descriptor, std::string_view text, const std::string& option, const std::string& path) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure(option, path, "write");
    done += static_cast<size_t>(count);
  }
  return {};
}

bool is_regular_file(int descriptor) {
  struct stat info {};
  return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
}

// A new file beside the file that it will replace. The destructor removes it, unless replace() has renamed it.
class Beside {
 public:
  Beside(const std::string& target, mode_t mode) : path_(fmt::format("{}.{}.tmp", target, getpid())) {
    enter_leftover(path_);
    unlink(path_.c_str());
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ < 0) forget_leftover(path_);
  }
  ~Beside() {
    if (descriptor_ < 0) return;
    if (remove_leftover(path_)) forget_leftover(path_);
    ::close(descriptor_);
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool replace(const std::string& target) const { return rename(path_.c_str(), target.c_str()) == 0; }
  // After replace().
  int release() {
    forget_leftover(path_);
    return std::exchange(descriptor_, -1);
  }

 private:
  const std::string path_;
  int descriptor_ = -1;
};

}  // namespace

Result<OutputFile> OutputFile::open(const std::string& option, const std::string& path,
                                    const std::string& unfinished) {
  OutputFile file;
  file.option_ = option;
  file.path_ = path;
  if (path == "-") {
    file.descriptor_ = dup(STDOUT_FILENO);
    if (file.descriptor_ < 0) return failure(option, path, "open");
    return file;
  }
  if (!unfinished.empty() && file.appear(unfinished)) return file;
  file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  file.unfinished_ = file.descriptor_ >= 0;
  if (!file.unfinished_ && errno == EEXIST)
    file.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0) return failure(option, path, "write");
  std::error_code error;
  file.target_ = std::filesystem::canonical(path, error).string();
  if (unfinished.empty() || !file.is_regular()) return file;
  if (Status status = file.replace([&](const auto& sink) { sink(unfinished); }); !status.ok()) return status;
  file.unfinished_ = true;
  return file;
}

// Makes a new file that has the text from its first moment on: whenever the process is killed,
// the file is not empty.
bool OutputFile::appear(const std::string& text) {
  struct stat info {};
  std::error_code error;
  const std::filesystem::path path(path_);
  if (lstat(path_.c_str(), &info) == 0 || !path.has_filename()) return false;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  target_ = (std::filesystem::canonical(folder, error) / path.filename()).string();
  if (error) return false;
  Beside beside(target_, 0666);
  if (!beside.is_open() || !write_all(beside.descriptor(), text, option_, path_).ok() ||
      !beside.replace(target_))
    return false;
  descriptor_ = beside.release();
  unfinished_ = true;
  return true;
}

OutputFile::OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this == &other) return *this;
  close();
  option_ = std::move(other.option_);
  path_ = std::move(other.path_);
  target_ = std::move(other.target_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  unfinished_ = std::exchange(other.unfinished_, false);
  return *this;
}

OutputFile::~OutputFile() { close(); }

void OutputFile::close() {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  if (unfinished_) unlink(target_.c_str());
}

bool OutputFile::is_regular() const { return path_ != "-" && is_regular_file(descriptor_); }

void OutputFile::discard() {
  if (!is_open()) return;
  if (is_regular()) unlink(target_.c_str());
  unfinished_ = false;
  close();
}

Status OutputFile::write(const std::string& text) {
  return write_pieces([&](const auto& sink) { sink(text); });
}

Status OutputFile::write_pieces(const Pieces& pieces) {
  const Status status = is_regular() ? replace(pieces) : fill(descriptor_, pieces);
  if (status.ok()) unfinished_ = false;
  return status;
}

Status OutputFile::fill(int descriptor, const Pieces& pieces) const {
  constexpr size_t kTogether = 64 << 10;
  Status status;
  std::string waiting;
  const auto send = [&] {
    if (status.ok()) status = write_all(descriptor, waiting, option_, path_);
    waiting.clear();
  };
  pieces([&](std::string_view piece) {
    waiting += piece;
    if (waiting.size() >= kTogether) send();
  });
  send();
  return status;
}

Status OutputFile::replace(const Pieces& pieces) {
  Beside beside(target_, 0600);
  struct stat info {};
  const mode_t mode = fstat(descriptor_, &info) == 0 ? info.st_mode & 07777 : 0644;
  // The user may write the file, but not the folder that it is in.
  if (!beside.is_open()) return write_in_place(pieces);
  fchmod(beside.descriptor(), mode);
  if (Status status = fill(beside.descriptor(), pieces); !status.ok()) return status;
  if (fsync(beside.descriptor()) != 0 || !beside.replace(target_)) return failure(option_, path_, "write");
  ::close(std::exchange(descriptor_, beside.release()));
  sync_folder(std::filesystem::path(target_).parent_path().string());
  return {};
}

Status OutputFile::write_in_place(const Pieces& pieces) {
  if (ftruncate(descriptor_, 0) != 0 || lseek(descriptor_, 0, SEEK_SET) != 0)
    return failure(option_, path_, "write");
  return fill(descriptor_, pieces);
}

Status refuse_overwriting(const std::string& option, const std::string& path, const std::string& model) {
  std::error_code error;
  if (!std::filesystem::equivalent(path, model, error)) return {};
  return Status::usage(
      fmt::format("{} {}: this is the model itself, and would be overwritten", option, path));
}

Outputs::~Outputs() {
  if (json.is_open()) set_last_words("", "");
}

Status Outputs::write_json(const std::string& text) {
  return write_json([&](const auto& sink) { sink(text); });
}

Status Outputs::write_json(const OutputFile::Pieces& pieces) {
  const Status status = json.write_pieces(pieces);
  set_last_words("", "");
  return status;
}

Status Outputs::write_records(const std::string& suite, const std::vector<RunRecord>& runs) {
  Status status;
  if (junit.is_open()) status = junit.write(junit_report(suite, runs));
  if (status.ok() && sarif.is_open()) status = sarif.write(sarif_report(STRATA_VERSION, runs));
  return status;
}

namespace {

Result<OutputFile> open_output(const std::string& option, const std::string& path, const Options& options,
                               const std::string& unfinished) {
  if (path.empty()) return OutputFile();
  if (Status status = refuse_overwriting(option, path, options.model); !status.ok()) return status;
  return OutputFile::open(option, path, unfinished);
}

}  // namespace

Result<Outputs> open_outputs(const Options& options) {
  Result<OutputFile> trace = open_output("--trace-file", options.trace_file, options, "");
  if (!trace.ok()) return trace.status();
  Result<OutputFile> json =
      open_output("--json", options.json, options, json_running(STRATA_VERSION, options.model_name()));
  if (!json.ok()) return json.status();
  Result<OutputFile> junit = open_output("--junit", options.junit, options, "");
  if (!junit.ok()) return junit.status();
  Result<OutputFile> sarif = open_output("--sarif", options.sarif, options, "");
  if (!sarif.ok()) return sarif.status();
  const std::string waiting =
      message_page(options.model, "The run that writes this report is not done, or was killed.");
  Result<OutputFile> report = open_output("--report", options.report, options, waiting);
  if (!report.ok()) return report.status();
  Outputs outputs;
  outputs.junit = std::move(*junit);
  outputs.sarif = std::move(*sarif);
  outputs.json = std::move(*json);
  outputs.trace = std::move(*trace);
  outputs.report = std::move(*report);
  if (outputs.json.is_open() && outputs.json.is_regular())
    set_last_words(outputs.json.target(), json_interrupted(STRATA_VERSION, options.model_name(),
                                                           "interrupted: the run was ended at once"));
  return outputs;
}

}  // namespace strata
