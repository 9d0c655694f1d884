// Files that Strata itself wrote are plain files. A folder, device or FIFO in the place of one is refused: opening a
// FIFO would wait for a writer, and reading a device may never end.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/status.h"

namespace strata {

// Why the file is not plain, in words; null: it is.
inline const char* why_not_plain(const struct stat& about) {
  if (S_ISREG(about.st_mode)) return nullptr;
  return S_ISDIR(about.st_mode)    ? "it is a folder, not a plain file"
         : S_ISFIFO(about.st_mode) ? "it is a FIFO, not a plain file"
                                   : "it is a device or a socket, not a plain file";
}

// A descriptor for reading, which the caller must close.
inline Result<int> open_plain(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat about {};
  if (file < 0 || ::fstat(file, &about) != 0) {
    const int error = errno;
    if (file >= 0) ::close(file);
    return Status::system(path + ": opening: " + std::strerror(error));
  }
  if (const char* why = why_not_plain(about)) {
    ::close(file);
    return Status::system(path + ": " + why);
  }
  return file;
}

// The whole content, if it has at most `most` bytes.
inline Result<std::string> read_plain(const std::string& path, uint64_t most) {
  const Result<int> file = open_plain(path);
  if (!file.ok()) return file.status();
  std::string text;
  Status status;
  for (char buffer[1 << 14]; status.ok();) {
    const ssize_t n = ::read(*file, buffer, sizeof buffer);
    if (n == 0) break;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) status = Status::system(path + ": reading: " + std::strerror(errno));
    if (n > 0) text.append(buffer, static_cast<size_t>(n));
    if (text.size() > most)
      status = Status::system(path + ": it is larger than " + std::to_string(most >> 20) + " MiB");
  }
  ::close(*file);
  return status.ok() ? Result<std::string>(std::move(text)) : status;
}

// Creates a file for writing; replaces anything of that name except a folder. -1: errno says why.
inline int make_plain(const std::string& path) {
  ::unlink(path.c_str());
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

}  // namespace strata
