#include "block/checkpoint/checkpoint_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "base/random.h"
#include "base/system/plain_file.h"
#include "base/system/sync_folder.h"
#include "base/text/hash_text.h"
#include "block/io/file_error.h"
#include "block/storage/replace_file.h"

namespace strata {

namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "checkpoint";
constexpr const char* kRemains = "remains";
// The file `run` has the text of the model.
constexpr uint64_t kMostRunBytes = uint64_t{4} << 30;

Status folder_error(const std::string& path, const char* what) {
  const int error = errno;
  return file_error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Status no_run(const std::string& folder) {
  return Status::usage(fmt::format(
      "'{}' holds no run that can be resumed; `strata check MODEL --checkpoint DIR` makes one", folder));
}

// Whether a run may begin in a folder that exists.
Status check_empty(const std::string& folder, bool has_remains) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (!has_remains && entry->path().filename() != "lock" && entry->path().filename() != "remains.new")
      return Status::usage(fmt::format("--checkpoint: '{}' is not an empty folder", folder));
  if (error)
    return Status::usage(
        fmt::format("--checkpoint: '{}' cannot be read as a folder: {}", folder, error.message()));
  return {};
}

}  // namespace

CheckpointFolder::CheckpointFolder(std::string path)
    : path_(std::move(path)), reserve_(path_ + "/reserve"), files_(path_, manifest_) {}

std::string CheckpointFolder::new_id() { return fmt::format("{:016x}", unique_number()); }

std::string CheckpointFolder::image_path(uint64_t number) const {
  return fmt::format("{}/image.{}", path_, number);
}

uint64_t CheckpointFolder::image_stamp(uint64_t number) const {
  const std::string text = fmt::format("{} {}", manifest_.id, number);
  return hash_bytes(text.data(), text.size());
}

// ---- the manifest and the lock

Status CheckpointFolder::read(const char* name) {
  Result<CheckpointManifest> manifest = read_manifest(fmt::format("{}/{}", path_, name));
  if (!manifest.ok()) return manifest.status();
  manifest_ = std::move(*manifest);
  return {};
}

Status CheckpointFolder::write(const char* name) const { return replace_file(path_, name, manifest_.text()); }

Status CheckpointFolder::lock(bool fresh) {
  if (Status status = lock_.take(path_, fresh); !status.ok()) return status;
  // The run may have filled the disk, and needs the space to continue.
  give_up_reserve();
  return lock_.sign();
}

// ---- a new run

Result<std::unique_ptr<CheckpointFolder>> CheckpointFolder::create(const std::string& folder,
                                                                   const std::vector<std::string>& disks,
                                                                   const std::string& run,
                                                                   const std::string& id) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return folder_error(folder, "making the folder of --checkpoint");
  if (exists(folder + "/" + kManifest))
    return Status::usage(
        fmt::format("--checkpoint: '{0}' holds a run already; go on with it by `strata resume {0}`, or name "
                    "another folder",
                    folder));
  const bool has_remains = exists(folder + "/" + kRemains);
  if (Status status = check_empty(folder, has_remains); !status.ok()) return status;
  if (::chmod(folder.c_str(), 0700) != 0) return folder_error(folder, "making it the owner's alone");
  std::unique_ptr<CheckpointFolder> made(new CheckpointFolder(fs::absolute(folder).string()));
  if (Status status = made->lock(true); !status.ok()) return status;
  if (Status status = has_remains ? made->remove_remains() : Status(); !status.ok()) return status;
  made->manifest_.id = id;
  if (Status status = made->begin(disks, run); !status.ok()) return status;
  return made;
}

// The manifest is called `remains` until all is made. A process that is killed before leaves a list of what it made.
Status CheckpointFolder::begin(const std::vector<std::string>& disks, const std::string& run) {
  manifest_.run_hash = hash_text(run);
  files_.add(disks, {0});
  if (Status status = write(kRemains); !status.ok()) return status;
  if (Status status = files_.make(); !status.ok()) return status;
  if (Status status = replace_file(path_, "run", run); !status.ok()) return status;
  if (::rename((path_ + "/" + kRemains).c_str(), (path_ + "/" + kManifest).c_str()) != 0)
    return folder_error(path_, "renaming");
  return sync_folder(path_) ? Status() : folder_error(path_, "fsync");
}

Status CheckpointFolder::remove_remains() {
  if (Status status = read(kRemains); !status.ok()) return status;
  remove_files();
  std::error_code error;
  fs::remove(path_ + "/" + kRemains, error);
  if (error) return Status::system(fmt::format("{}/remains: removing: {}", path_, error.message()));
  manifest_ = CheckpointManifest();
  return {};
}

// ---- a run that there is

Result<std::string> CheckpointFolder::read_run(const std::string& folder) {
  if (!exists(folder + "/" + kManifest)) return no_run(folder);
  const Result<CheckpointManifest> manifest = read_manifest(folder + "/" + kManifest);
  if (!manifest.ok()) return manifest.status();
  Result<std::string> run = read_plain(folder + "/run", kMostRunBytes);
  if (!run.ok() || hash_text(*run) == manifest->run_hash) return run;
  return Status::system(fmt::format(
      "{0}/run: it is not the file that the run in '{0}' was begun with: it was changed, or belongs to "
      "another run; put the run's own file back",
      folder));
}

Result<CheckpointFolder::Standing> CheckpointFolder::standing(const std::string& folder) {
  if (!exists(folder + "/" + kManifest)) return no_run(folder);
  Result<CheckpointManifest> manifest = read_manifest(folder + "/" + kManifest);
  if (!manifest.ok()) return manifest.status();
  return Standing{manifest->number, manifest->previous, std::move(manifest->id)};
}

Result<std::unique_ptr<CheckpointFolder>> CheckpointFolder::open(const std::string& folder,
                                                                 const std::vector<std::string>& disks,
                                                                 From from) {
  if (!exists(folder + "/" + kManifest)) return no_run(folder);
  std::unique_ptr<CheckpointFolder> found(new CheckpointFolder(fs::absolute(folder).string()));
  if (Status status = found->lock(false); !status.ok()) return status;
  if (Status status = found->read(kManifest); !status.ok()) return status;
  bool changed = false;
  if (Status status = found->files_.find(disks, changed); !status.ok()) return status;
  if (Status status = changed ? found->write(kManifest) : Status(); !status.ok()) return status;
  if (Status status = found->choose(from); !status.ok()) return status;
  return found;
}

// Makes the checkpoint that the run continues from the valid one. The others are not valid any more, because the run
// cuts their files.
Status CheckpointFolder::choose(From from) {
  if (from == From::none && manifest_.number != 0) {
    manifest_.number = manifest_.previous = 0;
    if (Status status = write(kManifest); !status.ok()) return status;
    remove_old_images();
  }
  if (from == From::previous) {
    if (manifest_.previous == 0)
      return Status::usage(fmt::format("--previous: '{}' has no checkpoint before the last one", path_));
    manifest_.number = std::exchange(manifest_.previous, 0);
    return write(kManifest);
  }
  return {};
}

Status CheckpointFolder::stand() {
  const uint64_t old = manifest_.previous;
  manifest_.previous = std::exchange(manifest_.number, manifest_.next++);
  if (Status status = write(kManifest); !status.ok()) {
    // Its number is not used again: the manifest may have been replaced in spite of the error.
    manifest_.number = std::exchange(manifest_.previous, old);
    return status;
  }
  remove_old_images();
  return {};
}

Status CheckpointFolder::forget_previous() {
  manifest_.previous = 0;
  if (Status status = write(kManifest); !status.ok()) return status;
  remove_old_images();
  return {};
}

// Removes all images but the valid one and the one before it.
void CheckpointFolder::remove_old_images() const {
  const fs::path valid = image_path(manifest_.number), before = image_path(manifest_.previous);
  std::error_code error;
  std::vector<fs::path> old;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path name = entry->path().filename();
    const bool kept = name == valid.filename() || name == before.filename();
    if (name.string().starts_with("image.") && !kept) old.push_back(entry->path());
  }
  for (const fs::path& path : old) fs::remove(path, error);
}

// ---- the end of a run

Status CheckpointFolder::discard(const std::string& folder) {
  CheckpointFolder found(fs::absolute(folder).string());
  if (Status status = found.lock(false); !status.ok()) return status;
  // Without either manifest nothing was made yet.
  if (!found.read(kManifest).ok()) static_cast<void>(found.read(kRemains));
  found.remove();
  return {};
}

// Renames the manifest first. Then the folder does not look like a run any more, and if this process is killed, the
// renamed file lists what is still to be removed.
void CheckpointFolder::remove() {
  std::error_code error;
  fs::rename(path_ + "/" + kManifest, path_ + "/" + kRemains, error);
  remove_files();
  fs::remove(path_ + "/" + kRemains, error);
  fs::remove(path_ + "/lock", error);
  ::rmdir(path_.c_str());
}

void CheckpointFolder::remove_files() const {
  files_.remove();
  std::error_code error;
  std::vector<fs::path> own;
  for (fs::directory_iterator entry(path_, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("image.") || name == "run" || name == "reserve" || name.ends_with(".new"))
      own.push_back(entry->path());
  }
  for (const fs::path& path : own) fs::remove(path, error);
}

}  // namespace strata
