#include "block/storage/replace_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/system/plain_file.h"
#include "base/system/sync_folder.h"
#include "block/io/file_error.h"

namespace strata {

namespace {

Status replace_error(const std::string& path, const char* what) {
  const int error = errno;
  return file_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

Status write_all(int file, const std::string& path, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n > 0) done += static_cast<size_t>(n);
    if (n < 0 && errno != EINTR) return replace_error(path, "writing");
  }
  return ::fsync(file) == 0 ? Status() : replace_error(path, "fsync");
}

}  // namespace

Status replace_file(const std::string& folder, const std::string& name, const std::string& text) {
  const std::string path = folder + "/" + name, fresh = path + ".new";
  const int file = make_plain(fresh);
  if (file < 0) return replace_error(fresh, "creating");
  const Status status = write_all(file, fresh, text);
  ::close(file);
  if (!status.ok()) return status;
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return replace_error(path, "renaming");
  return sync_folder(folder) ? Status() : replace_error(folder, "fsync");
}

}  // namespace strata
