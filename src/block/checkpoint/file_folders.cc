#include "block/checkpoint/file_folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/system/plain_file.h"
#include "block/io/file_error.h"
#include "block/storage/free_later.h"
#include "block/storage/replace_file.h"

namespace strata {

namespace {

namespace fs = std::filesystem;

constexpr const char* kOwner = "owner";
constexpr uint64_t kMostOwnerBytes = 1 << 20;  // a path

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

void FileFolders::add(const std::vector<std::string>& disks, std::vector<uint64_t> also) {
  for (const std::string& disk : disks) {
    const uint64_t number = count();
    also.push_back(number);
    manifest_.folders.push_back(
        fmt::format("{}/strata-checkpoint-{}-{}", fs::absolute(disk).string(), manifest_.id, number));
  }
  if (manifest_.eras.empty() || manifest_.eras.back() != also) manifest_.eras.push_back(also);
}

// A folder that exists belongs to this run, by its name: a process that was killed had just made it.
Status FileFolders::make() const {
  for (uint64_t i = 0; i < count(); ++i) {
    const std::string path = folder(i);
    if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) continue;
    const int error = errno;
    return file_error(fmt::format("{}: making a folder for the run: {}", path, std::strerror(error)), error);
  }
  for (const std::string& further : manifest_.folders) {
    const Result<std::string> owner = read_plain(further + "/" + kOwner, kMostOwnerBytes);
    if (owner.ok() && *owner == run_) continue;
    if (Status status = replace_file(further, kOwner, run_); !status.ok()) return status;
  }
  return {};
}

// A copy of a run must not use the files of the original. A run that was moved may.
Status FileFolders::check_owner(const std::string& folder) const {
  const Result<std::string> owner = read_plain(folder + "/" + kOwner, kMostOwnerBytes);
  if (!owner.ok() || *owner == run_) return {};
  const Result<CheckpointManifest> other = read_manifest(*owner + "/checkpoint");
  if (!other.ok() || other->id != manifest_.id) return {};
  return Status::usage(fmt::format(
      "the files in '{}' are those of the run in '{}', of which '{}' is a copy; copy the files too, and "
      "name the folder of the copies with --disk",
      folder, *owner, run_));
}

Status FileFolders::find(const std::vector<std::string>& disks, bool& changed) {
  std::vector<std::string> others;
  std::vector<bool> found(manifest_.folders.size());
  for (const std::string& disk : disks) {
    const std::string path = fs::absolute(disk).lexically_normal().string();
    bool known = false;
    for (uint64_t i = 0; i < found.size(); ++i) {
      const std::string name = fs::path(manifest_.folders[i]).filename().string();
      const std::string here = fs::path(path).filename() == name ? path : path + "/" + name;
      if (found[i] || !is_there(here)) continue;
      manifest_.folders[i] = here;
      found[i] = known = true;
    }
    if (!known) others.push_back(disk);
  }
  for (const std::string& further : manifest_.folders)
    if (!is_there(further))
      return Status::usage(fmt::format(
          "the run's files in '{}' are missing; if they were moved, name their folder with --disk", further));
  for (uint64_t i = 0; i < found.size(); ++i)
    if (Status status = found[i] ? Status() : check_owner(manifest_.folders[i]); !status.ok()) return status;
  changed = !others.empty();
  if (changed) {
    // The old folders may be full: the new era uses only those that were named.
    std::vector<uint64_t> named;
    for (uint64_t i = 0; i < found.size(); ++i)
      if (found[i]) named.push_back(i + 1);
    add(others, named);
  }
  return make();
}

std::vector<std::vector<std::string>> FileFolders::eras() const {
  std::vector<std::vector<std::string>> eras;
  for (const std::vector<uint64_t>& era : manifest_.eras) {
    eras.emplace_back();
    for (const uint64_t number : era) eras.back().push_back(folder(number));
  }
  return eras;
}

void FileFolders::remove() const {
  std::error_code error;
  std::vector<int> opened;  // an open file keeps its space until it is closed
  for (uint64_t i = 0; i < count(); ++i) {
    const std::string path = folder(i);
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
      if (const int file = ::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
          file >= 0)
        opened.push_back(file);
    fs::remove_all(path, error);
  }
  free_later(opened);
}

}  // namespace strata
