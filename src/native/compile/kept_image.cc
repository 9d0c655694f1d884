#include "native/compile/kept_image.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/process/leftovers.h"
#include "base/system/sync_folder.h"
#include "native/compile/cache_folder.h"
#include "native/compile/file_lock.h"
#include "native/compile/sealed_file.h"

namespace strata::native {

std::optional<std::string> find_image(const std::string& cache_dir, const std::string& key) {
  const std::string path = cache_dir + "/" + key + ".gpu";
  std::optional<std::string> image = read_sealed(path);
  // The images that were used longest ago are removed first.
  if (image) ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return image;
}

Status keep_image(const std::string& cache_dir, const std::string& key, const std::string& image) {
  const std::string stem = cache_dir + "/" + key, path = stem + ".gpu";
  const auto cannot_keep = [&] {
    return Status::system("cannot keep the kernels as '" + path + "': " + std::strerror(errno));
  };
  // Another run that holds the lock keeps the same image.
  const FileLock lock(stem + ".lock", FileLock::Wait::no);
  if (!lock.held()) return {};
  remove_work(stem);
  const Leftover work(work_folder(stem));
  if (::mkdir(work.path().c_str(), 0700) != 0) return cannot_keep();
  const std::string made = work.path() + "/image";
  std::ofstream out(made, std::ios::binary);
  out.write(image.data(), static_cast<std::streamsize>(image.size()));
  out.close();
  Status status = out ? seal_file(made) : cannot_keep();
  if (status.ok() && std::rename(made.c_str(), path.c_str()) != 0) status = cannot_keep();
  remove_work(stem);
  if (!status.ok()) return status;
  sync_folder(cache_dir);
  trim_cache(cache_dir, kCacheLimit, path);
  return {};
}

}  // namespace strata::native
