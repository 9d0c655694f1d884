#include "block/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace strata {

namespace {

constexpr const char* kManifest = "manifest";

Status system_error(const std::string& path, const char* what) {
  const int error = errno;
  const std::string message = fmt::format("{}: {}: {}", path, what, std::strerror(error));
  return error == ENOSPC || error == EDQUOT ? Status::disk_full("the disk is full: " + message)
                                            : Status::system(message);
}

// Writes and syncs a whole new file.
Status write_synced(const std::string& path, const std::string& text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return system_error(path, "creating");
  Status status;
  for (size_t done = 0; done < text.size() && status.ok();) {
    const ssize_t n = ::write(descriptor, text.data() + done, text.size() - done);
    if (n > 0) done += static_cast<size_t>(n);
    if (n < 0 && errno != EINTR) status = system_error(path, "writing");
  }
  if (status.ok() && ::fsync(descriptor) != 0) status = system_error(path, "fsync");
  ::close(descriptor);
  return status;
}

Status sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return system_error(folder, "opening");
  Status status;
  if (::fsync(descriptor) != 0) status = system_error(folder, "fsync");
  ::close(descriptor);
  return status;
}

}  // namespace

Result<std::unique_ptr<RunFolder>> RunFolder::create(const std::vector<std::string>& disks) {
  std::unique_ptr<RunFolder> run(new RunFolder());
  for (const std::string& disk : disks) {
    std::string path = fmt::format("{}/strata-run-{}-XXXXXX", disk, ::getpid());
    if (::mkdtemp(path.data()) == nullptr) {
      const Status status = system_error(disk, "making a folder for the run");
      return Status(status.code(), status.message() + "; name another folder with --disk");
    }
    run->folders_.push_back(path);
  }
  return run;
}

RunFolder::~RunFolder() {
  if (kept_) return;
  std::error_code ignored;
  for (const std::string& folder : folders_) std::filesystem::remove_all(folder, ignored);
}

Status RunFolder::write_manifest(const std::string& text) { return write_file(kManifest, text); }

Status RunFolder::write_file(const std::string& name, const std::string& text) {
  const std::string path = folders_.front() + "/" + name, fresh = path + ".new";
  if (Status status = write_synced(fresh, text); !status.ok()) return status;
  if (::rename(fresh.c_str(), path.c_str()) != 0) return system_error(path, "renaming");
  return sync_folder(folders_.front());
}

Result<std::string> RunFolder::read_manifest(const std::string& folder) {
  const std::string path = folder + "/" + kManifest;
  std::ifstream in(path, std::ios::binary);
  if (!in) return system_error(path, "opening");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace strata
