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

#include "base/plain_file.h"
#include "base/process/leftovers.h"
#include "base/sync_folder.h"
#include "block/io/file_error.h"

namespace strata {

namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest";
constexpr const char* kLock = "lock";
constexpr std::string_view kPrefix = "strata-run-";
constexpr std::string_view kNewPrefix = ".strata-run-";

Status system_error(const std::string& path, const char* what) {
  const int error = errno;
  return file_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
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

// DISK/strata-run-PID-LLLLLL, where a letter may have become '_' (base/process/leftovers.h). The number of
// the process is for people.
bool is_run_name(std::string_view name) {
  constexpr size_t kRandomLetters = 6;
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return digits > 0 && name.size() == digits + 1 + kRandomLetters && name[digits] == '-';
}

// A folder that never got its lock and its name, which takes no time: its run was killed.
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

// The lock of a folder, held by this process as long as it lives; -1: somebody else has it, or there can be none.
int take_lock(const std::string& folder, int flags) {
  const int lock = ::open((folder + "/" + kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  ::close(lock);
  return -1;
}

// Removes the folder of a run that is not there any more: nobody holds its lock. One without a lock is
// removed when it is empty, and else is none of ours.
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

// Says nothing when it fails: the run that comes next tries again.
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

// A folder that goes with this object, unless it is released.
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

// The folder gets its name when its lock is held, so nobody sees one of ours without it. (A file system that
// knows no locks refuses them to others too, who then leave the folder alone.)
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
  // Another run may have had it in the meantime, and be done.
  if (!is_empty_but_for_lock(folder) || !fs::exists(folder + "/" + kLock)) return occupied;
  return run;
}

RunFolder::~RunFolder() {
  for (const std::string& folder : folders_) {
    if (kept_) {
      ::unlink((folder + "/" + kLock).c_str());
    } else if (remove_leftover(folder)) {
      forget_leftover(folder);  // what could not be removed is tried once more at the end of the process
    }
  }
  for (const int lock : locks_) ::close(lock);
}

void RunFolder::remove_all_in_signal() { remove_leftovers_in_signal(); }

Status RunFolder::write_manifest(const std::string& text) { return write_file(kManifest, text); }

Status RunFolder::write_file(const std::string& name, const std::string& text) {
  const std::string path = folders_.front() + "/" + name, fresh = path + ".new";
  if (Status status = write_synced(fresh, text); !status.ok()) return status;
  if (::rename(fresh.c_str(), path.c_str()) != 0) return system_error(path, "renaming");
  return sync_folder(folders_.front()) ? Status() : system_error(folders_.front(), "fsync");
}

Result<std::string> RunFolder::read_manifest(const std::string& folder) {
  const std::string path = folder + "/" + kManifest;
  constexpr uint64_t kLongest = 64 << 20;
  return read_plain(path, kLongest);
}

}  // namespace strata
