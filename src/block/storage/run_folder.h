// The folder of one run: DISK/strata-run-PID-XXXXXX in each folder given by --disk, or the folder that --keep
// names. It has all files of the run, and no folders. It is removed with this object, whatever ended the run, except
// the folder of --keep.
//
// A killed run cannot remove its folder; the next run of the same user on the same DISK does. A folder was left
// behind if no process holds the lock (flock) on its file `lock`, which is taken before the folder gets its name. The
// number of the process does not tell: in a container process 1 always runs, and on another host the number is
// another process.
//
// The folder of --keep has such a lock as long as its run lasts, so that no other run uses it. It has a manifest
// (doc/formats.md): a text that says what the run is and which files belong to its last consistent point. The
// manifest is replaced as a whole (replace_file.h), so a killed run leaves the old one or the new one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

class RunFolder {
 public:
  // Makes the folders, and removes those that killed runs left in the same DISKs.
  static Result<std::unique_ptr<RunFolder>> create(const std::vector<std::string>& disks);
  // The folder of --keep, which does not exist or is empty.
  static Result<std::unique_ptr<RunFolder>> create_kept(const std::string& folder);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::vector<std::string>& folders() const { return folders_; }

  // Removes the folders of all runs of this process that are not kept. For a signal handler that then ends the process:
  // it allocates nothing and takes no lock, and other threads may still be writing.
  static void remove_all_in_signal();

  // Writes a small file in the first folder, whole and synced, or not at all.
  Status write_file(const std::string& name, const std::string& text);
  Status write_manifest(const std::string& text);
  static Result<std::string> read_manifest(const std::string& folder);

 private:
  RunFolder() = default;

  std::vector<std::string> folders_;
  std::vector<int> locks_;  // descriptors, held as long as the folders are in use
  bool kept_ = false;
};

}  // namespace strata
