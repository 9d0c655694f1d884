#include "native/compile/cache_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "native/compile/file_lock.h"

namespace strata::native {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kWork = ".work-";
constexpr size_t kKeyLetters = 32;

std::string absolute_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value == '/' ? value : "";
}

std::string private_folder() {
  const std::string temporary = absolute_variable("TMPDIR");
  return fmt::format("{}/strata-cache-{}", temporary.empty() ? "/tmp" : temporary, ::geteuid());
}

Status cannot(const char* what, const std::string& folder) {
  return Status::system(
      fmt::format("cannot {} the cache of compiled models '{}': {}", what, folder, std::strerror(errno)));
}

Status refuse(const std::string& folder, const std::string& why) {
  return Status::usage(fmt::format(
      "the cache of compiled models '{}' is not safe to use: {}; what lies in it is run, so remove it, or "
      "set XDG_CACHE_HOME to a folder of your own",
      folder, why));
}

// A folder for this user alone, whatever the umask says.
bool make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return ::chmod(path.c_str(), 0700) == 0;
  return errno == EEXIST;
}

bool make_folders(const std::string& path) {
  for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    struct stat found {};
    const std::string parent = path.substr(0, end);
    if (::stat(parent.c_str(), &found) != 0 && !make_folder(parent)) return false;
  }
  return make_folder(path);
}

Status check_folder(const std::string& folder) {
  struct stat found {};
  if (::lstat(folder.c_str(), &found) != 0) return cannot("make", folder);
  if (S_ISLNK(found.st_mode)) return refuse(folder, "it is a link");
  if (!S_ISDIR(found.st_mode)) {
    errno = ENOTDIR;
    return cannot("make", folder);
  }
  if (found.st_uid != ::geteuid()) return refuse(folder, "it belongs to another user");
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) return refuse(folder, "others may write to it");
  return {};
}

bool is_key(std::string_view text) {
  return text.size() == kKeyLetters && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// What follows the key in a name of our own form; empty: it is another name.
std::string_view form_of(std::string_view name) {
  return name.size() > kKeyLetters && is_key(name.substr(0, kKeyLetters)) ? name.substr(kKeyLetters) : "";
}

// The last letter is another one when a signal has begun to remove the folder (base/process/leftovers.h).
bool is_work(std::string_view form) {
  return form.size() == kWork.size() && form.substr(0, form.size() - 1) == kWork.substr(0, kWork.size() - 1);
}

struct Entry {
  fs::file_time_type time;
  uint64_t size;
  fs::path path;
};

bool is_object(const fs::directory_entry& file) {
  const std::string name = file.path().filename().string();
  const std::string_view form = form_of(name);
  std::error_code error;
  return (form == ".so" || form == ".cc" || form == ".gpu") &&
         file.symlink_status(error).type() == fs::file_type::regular;
}

std::vector<Entry> objects_in(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    if (!is_object(*file)) continue;
    std::error_code gone;
    const uint64_t size = file->file_size(gone);
    const fs::file_time_type time = file->last_write_time(gone);
    if (!gone) entries.push_back({time, size, file->path()});
  }
  return entries;
}

// Who compiles holds the lock.
void remove_left_behind(const std::string& folder) {
  std::vector<std::string> stems;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if (is_work(form_of(name))) stems.push_back(folder + "/" + name.substr(0, kKeyLetters));
  }
  for (const std::string& stem : stems) {
    const FileLock lock(stem + ".lock", FileLock::Wait::no);
    if (lock.held()) remove_work(stem);
  }
}

}  // namespace

std::string default_cache_dir() {
  if (const std::string cache = absolute_variable("XDG_CACHE_HOME"); !cache.empty()) return cache + "/strata";
  if (const std::string home = absolute_variable("HOME"); !home.empty()) return home + "/.cache/strata";
  return private_folder();
}

Status prepare_cache(const std::string& folder) {
  if (!make_folders(folder)) return cannot("make", folder);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return cannot("write to", folder);
  return check_folder(folder);
}

Result<CacheFolder> open_cache() {
  const std::string wanted = default_cache_dir(), other = private_folder();
  const Status status = prepare_cache(wanted);
  if (status.ok()) return CacheFolder{wanted, ""};
  if (status.code() == StatusCode::usage || wanted == other) return Status::system(status.message());
  if (const Status second = prepare_cache(other); !second.ok())
    return Status::system(fmt::format("{}; and {}; set XDG_CACHE_HOME to a folder you can write to",
                                      status.message(), second.message()));
  return CacheFolder{other, fmt::format("{}; this run uses '{}'", status.message(), other)};
}

CacheContent cache_content(const std::string& folder) {
  CacheContent content;
  for (const Entry& entry : objects_in(folder)) {
    content.bytes += entry.size;
    if (entry.path.extension() == ".so") ++content.models;
  }
  return content;
}

Status clear_cache(const std::string& folder) {
  remove_left_behind(folder);
  for (const Entry& entry : objects_in(folder)) {
    const std::string stem = entry.path.parent_path() / entry.path.stem();
    // Who compiles holds the lock.
    const FileLock lock(stem + ".lock", FileLock::Wait::no);
    if (!lock.held()) continue;
    std::error_code error;
    fs::remove(entry.path, error);
    if (error)
      return Status::system(fmt::format("cannot remove '{}': {}", entry.path.string(), error.message()));
  }
  return {};
}

std::string work_folder(const std::string& stem) { return stem + std::string(kWork); }

void remove_work(const std::string& stem) {
  std::error_code ignored;
  std::string path = work_folder(stem);
  fs::remove_all(path, ignored);
  path.back() = '_';
  fs::remove_all(path, ignored);
}

void trim_cache(const std::string& folder, uint64_t limit, const std::string& keep) {
  remove_left_behind(folder);
  std::vector<Entry> entries = objects_in(folder);
  uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.size;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
  for (const Entry& entry : entries) {
    if (total <= limit) return;
    if (entry.path == keep) continue;
    std::error_code error;
    if (fs::remove(entry.path, error)) total -= entry.size;
  }
}

}  // namespace strata::native
