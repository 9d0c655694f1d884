#include "block/checkpoint/checkpoint_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "base/random.h"
#include "base/system/plain_file.h"
#include "base/system/sync_folder.h"
#include "block/io/file_error.h"
#include "block/storage/free_later.h"

namespace strata {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHead = "strata checkpoint";
constexpr uint64_t kFormat = 2;
// In each further folder: the path of DIR.
constexpr const char* kOwner = "owner";
// A text of a run that is longer is none of ours: `run` has the model, and `checkpoint` a line for each folder.
constexpr uint64_t kLongestText = uint64_t{4} << 30, kLongestList = 64 << 20;

// The name of a folder, which is a line: one with a line break in it is quoted.
constexpr const char* kQuotedFolder = "quoted folder";

std::string folder_line(const std::string& name) {
  if (name.find('\n') == std::string::npos) return fmt::format("folder: {}\n", name);
  std::string quoted;
  for (const char c : name) quoted += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
  return fmt::format("{}: {}\n", kQuotedFolder, quoted);
}

std::string unquoted(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool marked = text[i] == '\\' && i + 1 < text.size();
    if (marked) ++i;
    out += marked && text[i] == 'n' ? '\n' : text[i];
  }
  return out;
}

Status folder_error(const std::string& path, const char* what) {
  const int error = errno;
  return file_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

// The whole file, synced and renamed into its place, or nothing.
Status replace_file(const std::string& folder, const std::string& name, const std::string& text) {
  const std::string path = folder + "/" + name, fresh = path + ".new";
  const int file = make_plain(fresh);
  if (file < 0) return folder_error(fresh, "creating");
  Status status;
  for (size_t done = 0; done < text.size() && status.ok();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n > 0) done += static_cast<size_t>(n);
    if (n < 0 && errno != EINTR) status = folder_error(fresh, "writing");
  }
  if (status.ok() && ::fsync(file) != 0) status = folder_error(fresh, "fsync");
  ::close(file);
  if (!status.ok()) return status;
  if (::rename(fresh.c_str(), path.c_str()) != 0) return folder_error(path, "renaming");
  return sync_folder(folder) ? Status() : folder_error(folder, "fsync");
}

std::string host() {
  char name[HOST_NAME_MAX + 1] = {};
  return ::gethostname(name, HOST_NAME_MAX) == 0 ? name : "?";
}

std::string hash_text(std::string_view text) {
  return fmt::format("{:016x}", hash_bytes(text.data(), text.size()));
}

// A sum of all that stands before it.
std::string sum_line(std::string_view text) { return fmt::format("sum: {}\n", hash_text(text)); }

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Status no_run(const std::string& folder) {
  return Status::usage(fmt::format(
      "'{}' holds no run that can be resumed; `strata check MODEL --checkpoint DIR` makes one", folder));
}

}  // namespace

CheckpointFolder::~CheckpointFolder() {
  if (lock_ < 0) return;
  if (::ftruncate(lock_, 0) != 0) {  // it only says who it was
  }
  ::close(lock_);
}

std::string CheckpointFolder::image_path(uint64_t number) const {
  return fmt::format("{}/image.{}", path_, number);
}

uint64_t CheckpointFolder::image_stamp(uint64_t number) const {
  const std::string text = fmt::format("{} {}", id_, number);
  return hash_bytes(text.data(), text.size());
}

std::string CheckpointFolder::new_id() { return fmt::format("{:016x}", unique_number()); }

// Who has the lock wrote into its file who he is.
Status CheckpointFolder::lock(bool fresh) {
  const std::string path = path_ + "/lock";
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock_ < 0) return folder_error(path, "opening");
  char text[512] = {};
  const ssize_t length = ::pread(lock_, text, sizeof text - 1, 0);
  const std::string other(text, static_cast<size_t>(std::max<ssize_t>(length, 0)));
  const bool locked = ::flock(lock_, LOCK_EX | LOCK_NB) == 0, known = locked || errno == EWOULDBLOCK;
  // Where a file system knows no locks, what is written there has to do.
  if (!locked && (known || !other.empty())) {
    ::close(std::exchange(lock_, -1));
    const std::string who = other.empty() ? "another process" : other.substr(0, other.find('\n'));
    return Status::usage(
        fmt::format("--checkpoint: '{}' is in use by {}{}", path_, who,
                    known || fresh ? "" : fmt::format("; if it is not running any more, remove '{}'", path)));
  }
  // The run may have filled the disk; what it needs to go on is there.
  give_up_reserve();
  const std::string own = fmt::format("process {} on {}\n", ::getpid(), host());
  const bool written = ::ftruncate(lock_, 0) == 0 && ::pwrite(lock_, own.data(), own.size(), 0) >= 0;
  return written || (locked && errno == ENOSPC) ? Status() : folder_error(path, "writing");
}

Result<std::unique_ptr<CheckpointFolder>> CheckpointFolder::create(const std::string& folder,
                                                                   const std::vector<std::string>& disks,
                                                                   const std::string& run,
                                                                   const std::string& id) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return folder_error(folder, "making the folder of --checkpoint");
  if (exists(folder + "/checkpoint"))
    return Status::usage(
        fmt::format("--checkpoint: '{0}' holds a run already; go on with it by `strata resume {0}`, or name "
                    "another folder",
                    folder));
  std::error_code error;
  const bool remains = exists(folder + "/remains");
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (!remains && entry->path().filename() != "lock" && entry->path().filename() != "remains.new")
      return Status::usage(fmt::format("--checkpoint: '{}' is not an empty folder", folder));
  if (error)
    return Status::usage(fmt::format("--checkpoint: '{}' is no folder: {}", folder, error.message()));
  if (::chmod(folder.c_str(), 0700) != 0) return folder_error(folder, "making it the owner's alone");
  std::unique_ptr<CheckpointFolder> made(new CheckpointFolder(fs::absolute(folder).string()));
  if (Status status = made->lock(true); !status.ok()) return status;
  if (Status status = remains ? made->remove_remains() : Status(); !status.ok()) return status;
  made->id_ = id;
  made->run_hash_ = hash_text(run);
  made->name_folders(disks, {0});
  if (Status status = made->write("remains"); !status.ok()) return status;
  if (Status status = made->make_folders(); !status.ok()) return status;
  if (Status status = replace_file(made->path_, "run", run); !status.ok()) return status;
  if (::rename((made->path_ + "/remains").c_str(), (made->path_ + "/checkpoint").c_str()) != 0)
    return folder_error(made->path_, "renaming");
  if (!sync_folder(made->path_)) return folder_error(made->path_, "fsync");
  return made;
}

// Those of the disks come after DIR/files and those that there are already. From now on they are written to,
// and `also`.
void CheckpointFolder::name_folders(const std::vector<std::string>& disks, std::vector<uint64_t> also) {
  if (folders_.empty()) folders_.push_back(path_ + "/files");
  for (const std::string& disk : disks) {
    also.push_back(folders_.size());
    folders_.push_back(
        fmt::format("{}/strata-checkpoint-{}-{}", fs::absolute(disk).string(), id_, folders_.size()));
  }
  if (eras_.empty() || eras_.back() != also) eras_.push_back(also);
}

// One that is there is of this run, by its name: a process that was killed had just made it.
Status CheckpointFolder::make_folders() const {
  for (const std::string& folder : folders_)
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      return folder_error(folder, "making a folder for the run");
  for (uint64_t i = 1; i < folders_.size(); ++i) {
    const Result<std::string> owner = read_plain(folders_[i] + "/" + kOwner, kLongestList);
    if (owner.ok() && *owner == path_) continue;
    if (Status status = replace_file(folders_[i], kOwner, path_); !status.ok()) return status;
  }
  return {};
}

// A run that was copied must not go on with the files of the other one; one that was moved may.
Status CheckpointFolder::check_owner(const std::string& folder) const {
  const Result<std::string> owner = read_plain(folder + "/" + kOwner, kLongestList);
  if (!owner.ok() || *owner == path_) return {};
  CheckpointFolder other(*owner);
  if (!other.parse("checkpoint").ok() || other.id_ != id_) return {};
  return Status::usage(fmt::format(
      "the files in '{}' are those of the run in '{}', of which '{}' is a copy; copy them too, and "
      "say with --disk where they are",
      folder, *owner, path_));
}

Status CheckpointFolder::remove_remains() {
  if (Status status = parse("remains"); !status.ok()) return status;
  remove_files();
  std::error_code error;
  fs::remove(path_ + "/remains", error);
  if (error) return Status::system(fmt::format("{}/remains: removing: {}", path_, error.message()));
  folders_.clear();
  eras_.clear();
  number_ = previous_ = 0;
  next_ = 1;
  return {};
}

Result<std::string> CheckpointFolder::read_run(const std::string& folder) {
  if (!exists(folder + "/checkpoint")) return no_run(folder);
  CheckpointFolder found(folder);
  if (Status status = found.parse("checkpoint"); !status.ok()) return status;
  Result<std::string> run = read_plain(folder + "/run", kLongestText);
  if (!run.ok() || hash_text(*run) == found.run_hash_) return run;
  return Status::system(fmt::format(
      "{0}/run: it is not the file that the run in '{0}' was begun with: it was changed, or belongs to "
      "another run; put the run's own file back",
      folder));
}

Result<std::unique_ptr<CheckpointFolder>> CheckpointFolder::open(const std::string& folder,
                                                                 const std::vector<std::string>& disks,
                                                                 From from) {
  if (!exists(folder + "/checkpoint")) return no_run(folder);
  std::unique_ptr<CheckpointFolder> found(new CheckpointFolder(fs::absolute(folder).string()));
  if (Status status = found->lock(false); !status.ok()) return status;
  if (Status status = found->parse("checkpoint"); !status.ok()) return status;
  if (Status status = found->find_folders(disks); !status.ok()) return status;
  if (from == From::none && found->number_ != 0) {
    found->number_ = found->previous_ = 0;
    if (Status status = found->write(); !status.ok()) return status;
    found->remove_images();
  }
  if (from == From::previous) {
    if (found->previous_ == 0)
      return Status::usage(fmt::format("--previous: '{}' has no checkpoint before the last one", folder));
    found->number_ = std::exchange(found->previous_, 0);
    // From now on the other one does not stand: its files are cut.
    if (Status status = found->write(); !status.ok()) return status;
  }
  return found;
}

Result<CheckpointFolder::Standing> CheckpointFolder::standing(const std::string& folder) {
  if (!exists(folder + "/checkpoint")) return no_run(folder);
  CheckpointFolder found(fs::absolute(folder).string());
  if (Status status = found.parse("checkpoint"); !status.ok()) return status;
  return Standing{found.number_, found.previous_, found.id_};
}

Status CheckpointFolder::discard(const std::string& folder) {
  CheckpointFolder found(fs::absolute(folder).string());
  if (Status status = found.lock(false); !status.ok()) return status;
  // Without either file nothing was made yet.
  if (!found.parse("checkpoint").ok()) static_cast<void>(found.parse("remains"));
  found.remove();
  return {};
}

// ---- the file `checkpoint`

std::string CheckpointFolder::text() const {
  std::string text = fmt::format("{} {}\nid: {}\nrun: {}\nnumber: {}\nprevious: {}\nnext: {}\n", kHead,
                                 kFormat, id_, run_hash_, number_, previous_, next_);
  for (uint64_t i = 1; i < folders_.size(); ++i) text += folder_line(folders_[i]);
  for (const std::vector<uint64_t>& era : eras_) text += fmt::format("era: {}\n", fmt::join(era, " "));
  return text + sum_line(text);
}

Status CheckpointFolder::write(const char* name) const { return replace_file(path_, name, text()); }

Status CheckpointFolder::parse(const std::string& name) {
  const std::string path = path_ + "/" + name;
  const Result<std::string> read = read_plain(path, kLongestList);
  if (!read.ok()) return read.status();
  const std::string& text = *read;
  const size_t sum = text.rfind("sum: ");
  uint64_t format = 0;
  if (text.starts_with(kHead)) std::istringstream(text.substr(std::strlen(kHead))) >> format;
  if (format != 0 && format != kFormat)
    return Status::usage(
        fmt::format("{}: it has the format {}, and this version of Strata reads {}", path, format, kFormat));
  if (format == 0 || sum == std::string::npos || text.substr(sum) != sum_line(text.substr(0, sum)))
    return Status::system(fmt::format("{}: it is damaged: its sum is wrong", path));
  folders_ = {path_ + "/files"};
  std::istringstream lines(text.substr(0, sum));
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, colon), value = line.substr(colon + 2);
    std::istringstream in(value);
    if (key == "id") id_ = value;
    if (key == "run") run_hash_ = value;
    if (key == "number") in >> number_;
    if (key == "previous") in >> previous_;
    if (key == "next") in >> next_;
    if (key == "folder") folders_.push_back(value);
    if (key == kQuotedFolder) folders_.push_back(unquoted(value));
    if (key == "era")
      eras_.emplace_back(std::istream_iterator<uint64_t>(in), std::istream_iterator<uint64_t>());
  }
  for (const std::vector<uint64_t>& era : eras_)
    for (const uint64_t i : era)
      if (i >= folders_.size()) return Status::system(fmt::format("{}: a folder is missing in it", path));
  return {};
}

Status CheckpointFolder::find_folders(const std::vector<std::string>& disks) {
  std::vector<std::string> others;
  std::vector<bool> found(folders_.size());
  for (const std::string& disk : disks) {
    const std::string path = fs::absolute(disk).lexically_normal().string();
    bool known = false;
    for (uint64_t i = 1; i < folders_.size(); ++i) {
      const std::string name = fs::path(folders_[i]).filename().string();
      const std::string here = fs::path(path).filename() == name ? path : path + "/" + name;
      if (found[i] || !exists(here)) continue;
      folders_[i] = here;
      found[i] = known = true;
    }
    if (!known) others.push_back(disk);
  }
  for (uint64_t i = 1; i < folders_.size(); ++i)
    if (!exists(folders_[i]))
      return Status::usage(fmt::format(
          "the run's files in '{}' are not there; say with --disk which folder they were moved to",
          folders_[i]));
  for (uint64_t i = 1; i < folders_.size(); ++i)
    if (Status status = found[i] ? Status() : check_owner(folders_[i]); !status.ok()) return status;
  if (others.empty()) return make_folders();
  // Those that it had may be full: they are written to only if they are named.
  std::vector<uint64_t> named;
  for (uint64_t i = 1; i < found.size(); ++i)
    if (found[i]) named.push_back(i);
  name_folders(others, named);
  if (Status status = make_folders(); !status.ok()) return status;
  return write();
}

// ---- checkpoints

std::vector<std::vector<std::string>> CheckpointFolder::eras() const {
  std::vector<std::vector<std::string>> eras;
  for (const std::vector<uint64_t>& era : eras_) {
    eras.emplace_back();
    for (const uint64_t i : era) eras.back().push_back(folders_[i]);
  }
  return eras;
}

std::vector<std::string> CheckpointFolder::folders() const { return eras().back(); }

Status CheckpointFolder::stand() {
  const uint64_t old = previous_;
  previous_ = std::exchange(number_, next_++);
  if (Status status = write(); !status.ok()) {
    // Its number is not used again: it may stand after all.
    number_ = std::exchange(previous_, old);
    return status;
  }
  remove_images();
  return {};
}

Status CheckpointFolder::forget_previous() {
  const uint64_t kept = number_;
  previous_ = 0;
  next_ = std::max(next_, kept + 1);
  if (Status status = write(); !status.ok()) return status;
  remove_images();
  return {};
}

// All but those that stand.
void CheckpointFolder::remove_images() const {
  std::error_code error;
  std::vector<fs::path> others;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = image_path(number_), before = image_path(previous_);
    const std::string name = entry->path().filename().string();
    const bool stands = name == fs::path(path).filename() || name == fs::path(before).filename();
    if (name.starts_with("image.") && !stands) others.push_back(entry->path());
  }
  for (const fs::path& path : others) fs::remove(path, error);
}

void CheckpointFolder::reserve(uint64_t bytes) {
  if (bytes <= reserved_) return;
  const std::string path = path_ + "/reserve";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file < 0) return;
  constexpr uint64_t kLeast = 64 << 10;
  for (; bytes > reserved_ && bytes >= kLeast; bytes /= 2)
    if (::fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0) reserved_ = bytes;
  // Some file systems keep what they found when it is not enough.
  if (::ftruncate(file, static_cast<off_t>(reserved_)) != 0) give_up_reserve();
  ::close(file);
}

void CheckpointFolder::give_up_reserve() {
  ::unlink((path_ + "/reserve").c_str());
  reserved_ = 0;
}

// With the file under its other name nobody takes the rest for a run, and a process that is killed meanwhile
// leaves what says where the rest is.
void CheckpointFolder::remove() {
  std::error_code error;
  fs::rename(path_ + "/checkpoint", path_ + "/remains", error);
  remove_files();
  fs::remove(path_ + "/remains", error);
  fs::remove(path_ + "/lock", error);
  ::rmdir(path_.c_str());
}

void CheckpointFolder::remove_files() const {
  std::error_code error;
  // The file system frees them when nobody waits for it any more.
  std::vector<int> opened;
  for (const std::string& folder : folders_) {
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      if (const int file = ::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
          file >= 0)
        opened.push_back(file);
    fs::remove_all(folder, error);
  }
  free_later(opened);
  std::vector<fs::path> own;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("image.") || name == "run" || name == "reserve" || name.ends_with(".new"))
      own.push_back(entry->path());
  }
  for (const fs::path& path : own) fs::remove(path, error);
}

}  // namespace strata
