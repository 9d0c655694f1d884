#include "block/checkpoint/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "block/io/file_error.h"

namespace strata {

namespace {

Status lock_error(const std::string& path, const char* what) {
  const int error = errno;
  return file_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

std::string host() {
  char name[HOST_NAME_MAX + 1] = {};
  return ::gethostname(name, HOST_NAME_MAX) == 0 ? name : "?";
}

}  // namespace

Status FolderLock::take(const std::string& folder, bool fresh) {
  path_ = folder + "/lock";
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file_ < 0) return lock_error(path_, "opening");
  char text[512] = {};
  const ssize_t length = ::pread(file_, text, sizeof text - 1, 0);
  const std::string other(text, static_cast<size_t>(std::max<ssize_t>(length, 0)));
  locked_ = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
  const bool has_locks = locked_ || errno == EWOULDBLOCK;
  // On a file system without locks, the text of the file has to do.
  if (locked_ || (!has_locks && other.empty())) return {};
  ::close(std::exchange(file_, -1));
  const std::string holder = other.empty() ? "another process" : other.substr(0, other.find('\n'));
  return Status::usage(fmt::format(
      "--checkpoint: '{}' is in use by {}{}", folder, holder,
      has_locks || fresh ? "" : fmt::format("; if that process does not run any more, remove '{}'", path_)));
}

Status FolderLock::sign() {
  const std::string own = fmt::format("process {} on {}\n", ::getpid(), host());
  const bool written = ::ftruncate(file_, 0) == 0 && ::pwrite(file_, own.data(), own.size(), 0) >= 0;
  // On a full disk, the lock itself is enough.
  return written || (locked_ && errno == ENOSPC) ? Status() : lock_error(path_, "writing");
}

void FolderLock::release() {
  if (file_ < 0) return;
  if (::ftruncate(file_, 0) != 0) {  // the text only named this process
  }
  ::close(std::exchange(file_, -1));
}

}  // namespace strata
