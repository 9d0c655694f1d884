#include "block/storage/run_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "block/io/file_error.h"

namespace strata {

namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest";
constexpr const char* kLock = "lock";
constexpr std::string_view kPrefix = "strata-run-";

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

Status sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return system_error(folder, "opening");
  Status status;
  if (::fsync(descriptor) != 0) status = system_error(folder, "fsync");
  ::close(descriptor);
  return status;
}

// The process of a run, from the name of its folder; 0 when it is not such a name.
pid_t process_of(std::string_view name) {
  constexpr size_t kRandomLetters = 6;
  if (!name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  pid_t process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  name.remove_prefix(static_cast<size_t>(end - name.data()));
  const bool whole = error == std::errc() && name.size() == 1 + kRandomLetters && name.front() == '-';
  return whole ? process : 0;
}

bool is_locked(const std::string& folder) {
  const int lock = ::open((folder + "/" + kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (lock < 0) return errno != ENOENT;
  const bool locked = ::flock(lock, LOCK_EX | LOCK_NB) != 0;
  ::close(lock);
  return locked;
}

bool is_left_behind(const fs::path& path) {
  const pid_t process = process_of(path.filename().string());
  if (process <= 0 || ::kill(process, 0) == 0 || errno != ESRCH) return false;
  struct stat about {};
  return ::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::geteuid() &&
         !is_locked(path.string());
}

// Says nothing when it fails: the run that comes next tries again.
void remove_left_behind(const std::string& disk) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(disk, error), end; !error && entry != end; entry.increment(error)) {
    if (is_left_behind(entry->path())) found.push_back(entry->path());
  }
  for (const fs::path& path : found) fs::remove_all(path, error);
}

// Returns a descriptor, or -1 when there can be no such file. A lock that the file system refuses is done without.
int hold_lock(const std::string& folder) {
  const int lock = ::open((folder + "/" + kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock >= 0) static_cast<void>(::flock(lock, LOCK_EX | LOCK_NB));
  return lock;
}

// The folders to remove, where a signal handler finds them: it can reach nothing but static data. When all places are
// taken, a folder is left to the run that comes next.
struct Place {
  enum State { free, filling, ready };
  std::atomic<State> state{free};
  char path[PATH_MAX];
};
static_assert(std::atomic<Place::State>::is_always_lock_free);
std::array<Place, 64> places;

void enter(const std::string& folder) {
  if (folder.size() >= sizeof(Place::path)) return;
  for (Place& place : places) {
    Place::State state = Place::free;
    if (!place.state.compare_exchange_strong(state, Place::filling)) continue;
    std::memcpy(place.path, folder.c_str(), folder.size() + 1);
    place.state = Place::ready;
    return;
  }
}

void forget(const std::string& folder) {
  for (Place& place : places) {
    if (place.state == Place::ready && folder == place.path) place.state = Place::free;
  }
}

void remove_files_in_signal(const char* folder) {
  const int descriptor = ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return;
  alignas(dirent64) char entries[4096];
  for (ssize_t bytes; (bytes = ::getdents64(descriptor, entries, sizeof entries)) > 0;) {
    for (ssize_t at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      // Fails for "." and "..", which is right.
      ::unlinkat(descriptor, entry->d_name, 0);
      at += entry->d_reclen;
    }
  }
  ::close(descriptor);
}

// Under another name first: threads that still run would put new files into the folder as fast as old ones go. The name
// is that of a folder left behind, in case this is ended too, and none that mkdtemp makes.
void remove_folder_in_signal(const char* folder) {
  char doomed[PATH_MAX];
  const size_t length = std::strlen(folder);
  std::memcpy(doomed, folder, length + 1);
  doomed[length - 1] = '_';
  // Fails when another signal was first; then both remove what is there.
  ::rename(folder, doomed);
  for (int attempt = 0; attempt < 10; ++attempt) {
    if (::rmdir(doomed) == 0 || errno == ENOENT) return;
    remove_files_in_signal(doomed);
  }
}

}  // namespace

Result<std::unique_ptr<RunFolder>> RunFolder::create(const std::vector<std::string>& disks) {
  std::unique_ptr<RunFolder> run(new RunFolder());
  for (const std::string& disk : disks) {
    remove_left_behind(disk);
    std::string path = fmt::format("{}/{}{}-XXXXXX", disk, kPrefix, ::getpid());
    if (::mkdtemp(path.data()) == nullptr) {
      const Status status = system_error(disk, "making a folder for the run");
      return Status(status.code(), status.message() + "; name another folder with --disk");
    }
    run->folders_.push_back(path);
    enter(path);
    if (const int lock = hold_lock(path); lock >= 0) run->locks_.push_back(lock);
  }
  return run;
}

Result<std::unique_ptr<RunFolder>> RunFolder::create_kept(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0) {
    if (errno != EEXIST) return system_error(folder, "making the folder of --keep");
    std::error_code error;
    if (!fs::is_directory(folder, error) || !fs::is_empty(folder, error))
      return Status::usage(fmt::format("--keep: '{}' is not an empty folder", folder));
  }
  std::unique_ptr<RunFolder> run(new RunFolder());
  run->folders_.push_back(folder);
  run->kept_ = true;
  return run;
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  for (const std::string& folder : folders_) {
    if (kept_) continue;
    fs::remove_all(folder, ignored);
    forget(folder);
  }
  for (const int lock : locks_) ::close(lock);
}

void RunFolder::remove_all_in_signal() {
  for (const Place& place : places) {
    if (place.state == Place::ready) remove_folder_in_signal(place.path);
  }
}

Status RunFolder::write_manifest(const std::string& text) { return write_file(kManifest, text); }

Status RunFolder::write_file(const std::string& name, const std::string& text) {
  const std::string path = folders_.front() + "/" + name, fresh = path + ".new";
  if (Status status = write_synced(fresh, text); !status.ok()) return status;
  if (::rename(fresh.c_str(), path.c_str()) != 0) return system_error(path, "renaming");
  return sync_folder(folders_.front());
}

Result<std::string> RunFolder::read_manifest(const std::string& folder) {
  const std::string path = folder + "/" + kManifest;
  std::ifstream in(path, std::ios::binary);
  if (!in) return system_error(path, "opening");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace strata
