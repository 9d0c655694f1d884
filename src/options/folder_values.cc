#include "options/folder_values.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace strata {
namespace {

namespace fs = std::filesystem;

Status empty_name() { return Status::usage("the name of the folder is empty"); }

Status refused(const std::string& path) {
  return Status::usage(fmt::format("'{}': {}", path, std::strerror(errno)));
}

// The folder that holds, or would hold, this name.
std::string parent_of(const std::string& path) {
  fs::path whole = fs::absolute(path).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return whole.parent_path().string();
}

}  // namespace

Status existing_folder(const std::string& path) {
  if (path.empty()) return empty_name();
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return refused(path);
  if (!S_ISDIR(about.st_mode)) return Status::usage(fmt::format("'{}' is not a folder", path));
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    return Status::usage(fmt::format("'{}' cannot be written to: {}", path, std::strerror(errno)));
  }
  return {};
}

Status new_or_empty_folder(const std::string& path) {
  if (path.empty()) return empty_name();
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) {
    if (errno != ENOENT) return refused(path);
    return existing_folder(parent_of(path));
  }
  if (Status status = existing_folder(path); !status.ok()) return status;
  std::error_code error;
  const bool empty = fs::is_empty(path, error);
  if (error) return Status::usage(fmt::format("'{}': {}", path, error.message()));
  if (!empty) return Status::usage(fmt::format("'{}' is not empty; name a new folder or an empty one", path));
  return {};
}

bool same_folder(const std::string& a, const std::string& b) {
  std::error_code different;
  return fs::equivalent(a, b, different);
}

}  // namespace strata
