#include "block/storage/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/process/leftovers.h"
#include "base/system/plain_file.h"
#include "block/io/file_error.h"
#include "block/storage/replace_file.h"

namespace strata {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRunManifest = "manifest";
constexpr const char* kLock = "lock";
constexpr std::string_view kPrefix = "strata-run-";
constexpr std::string_view kNewPrefix = ".strata-run-";

Status system_error(const std::string& path, const char* what) {
  const int error = errno;
  return file_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

// DISK/strata-run-PID-LLLLLL, where a letter may have become '_' (base/process/leftovers.h). Only people read the
// number of the process.
bool is_run_name(std::string_view name) {
  constexpr size_t kRandomLetters = 6;
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return digits > 0 && name.size() == digits + 1 + kRandomLetters && name[digits] == '-';
}

// A folder that did not get its lock and its name at once: its run was killed.
bool is_forgotten(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(kNewPrefix) || !is_run_name(name.substr(1))) return false;
  std::error_code error;
  const auto changed = fs::last_write_time(path, error);
  return !error && fs::file_time_type::clock::now() - changed > std::chrono::hours(1);
}

bool is_own_folder(const fs::path& path) {
  struct stat about {};
  return ::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::geteuid();
}

// Takes the lock of a folder until this process ends. -1: another process has it, or the file system has no locks.
int take_lock(const std::string& folder, int flags) {
  const int lock = ::open((folder + "/" + kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  ::close(lock);
  return -1;
}

// Removes the folder of a run that has ended, whose lock no process holds. A folder without a lock is removed only if
// it is empty; otherwise it is not one of ours.
void remove_if_left_behind(const fs::path& path) {
  if (!is_own_folder(path)) return;
  std::error_code ignored;
  const int lock = take_lock(path.string(), 0);
  if (lock >= 0) {
    static_cast<void>(remove_leftover(path.string()));
    ::close(lock);
  } else if (!fs::exists(path / kLock, ignored)) {
    ::rmdir(path.c_str());
  }
}

// Reports no errors: the next run tries again.
void remove_left_behind(const std::string& disk) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(disk, error), end; !error && entry != end; entry.increment(error)) {
    const bool run = is_run_name(entry->path().filename().string());
    if (run || is_forgotten(entry->path())) found.push_back(entry->path());
  }
  for (const fs::path& path : found) remove_if_left_behind(path);
}

Status no_folder(const std::string& disk) {
  const Status status = system_error(disk, "making a folder for the run");
  return Status(status.code(), status.message() + "; name another folder with --disk", status.reason());
}

// A folder that is removed with this object, unless it is released.
class NewFolder {
 public:
  NewFolder() = default;
  NewFolder(NewFolder&& other) noexcept
      : path(std::move(other.path)),
        lock(std::exchange(other.lock, -1)),
        own_(std::exchange(other.own_, false)) {}
  ~NewFolder() {
    if (!own_) return;
    static_cast<void>(remove_leftover(path));
    forget_leftover(path);
    if (lock >= 0) ::close(lock);
  }
  void own() { own_ = true; }
  void release() { own_ = false; }

  std::string path;
  int lock = -1;  // a descriptor

 private:
  bool own_ = false;
};

// The folder gets its name after its lock is taken, so no other process sees it without a lock. (A file system without
// locks refuses them to the others too, which then leave the folder alone.)
Result<NewFolder> make_folder(const std::string& disk) {
  NewFolder made;
  made.path = fmt::format("{}/.{}{}-XXXXXX", disk, kPrefix, ::getpid());
  std::string name = fmt::format("{}/{}", disk, made.path.substr(disk.size() + 2));
  if (::mkdtemp(made.path.data()) == nullptr) return no_folder(disk);
  made.own();
  made.lock = take_lock(made.path, O_CREAT);
  name.replace(disk.size() + 1, std::string::npos, made.path, disk.size() + 2, std::string::npos);
  enter_leftover(name);
  if (::rename(made.path.c_str(), name.c_str()) != 0) {
    const int error = errno;
    forget_leftover(name);
    errno = error;
    return no_folder(disk);
  }
  made.path.swap(name);
  return made;
}

bool is_empty_but_for_lock(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename() != kLock) return false;
  return !error;
}

}  // namespace

Result<std::unique_ptr<RunFolder>> RunFolder::create(const std::vector<std::string>& disks) {
  std::unique_ptr<RunFolder> run(new RunFolder());
  run->folders_.reserve(disks.size());
  run->locks_.reserve(disks.size());
  for (const std::string& disk : disks) {
    remove_left_behind(disk);
    Result<NewFolder> made = make_folder(disk);
    if (!made.ok()) return made.status();
    made->release();
    run->folders_.push_back(std::move(made->path));
    if (made->lock >= 0) run->locks_.push_back(made->lock);
  }
  return run;
}

Result<std::unique_ptr<RunFolder>> RunFolder::create_kept(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return system_error(folder, "making the folder of --keep");
  const Status occupied = Status::usage(fmt::format("--keep: '{}' is not an empty folder", folder));
  if (!is_empty_but_for_lock(folder)) return occupied;
  const int lock = take_lock(folder, O_CREAT);
  if (lock < 0) return Status::usage(fmt::format("--keep: another run uses the folder '{}'", folder));
  std::unique_ptr<RunFolder> run(new RunFolder());
  run->locks_.push_back(lock);
  run->kept_ = true;
  run->folders_.push_back(folder);
  // Another run may have used and left the folder in the meantime.
  if (!is_empty_but_for_lock(folder) || !fs::exists(folder + "/" + kLock)) return occupied;
  return run;
}

RunFolder::~RunFolder() {
  for (const std::string& folder : folders_) {
    if (kept_) {
      ::unlink((folder + "/" + kLock).c_str());
    } else if (remove_leftover(folder)) {
      forget_leftover(folder);  // otherwise the end of the process tries once more
    }
  }
  for (const int lock : locks_) ::close(lock);
}

void RunFolder::remove_all_in_signal() { remove_leftovers_in_signal(); }

Status RunFolder::write_manifest(const std::string& text) { return write_file(kRunManifest, text); }

Status RunFolder::write_file(const std::string& name, const std::string& text) {
  return replace_file(folders_.front(), name, text);
}

Result<std::string> RunFolder::read_manifest(const std::string& folder) {
  const std::string path = folder + "/" + kRunManifest;
  constexpr uint64_t kMostBytes = 64 << 20;
  return read_plain(path, kMostBytes);
}

}  // namespace strata
