// Files that Strata itself wrote are plain files. What somebody put in the place of one (a folder, a device,
// a FIFO) is refused at once: opening a FIFO would wait for somebody who writes to it, and a device may have
// no end.
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

// What a file is that is not plain, in words; null: it is plain.
inline const char* why_not_plain(const struct stat& about) {
  if (S_ISREG(about.st_mode)) return nullptr;
  return S_ISDIR(about.st_mode)    ? "it is a folder, not a plain file"
         : S_ISFIFO(about.st_mode) ? "it is a FIFO, not a plain file"
                                   : "it is a device or a socket, not a plain file";
}

// A descriptor for reading, which is the caller's to close.
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

// All of it, if it has no more than `most` bytes.
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

// A file that is made anew, for writing; whatever had its name gives way, but a folder. -1: errno says why.
inline int make_plain(const std::string& path) {
  ::unlink(path.c_str());
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

}  // namespace strata
