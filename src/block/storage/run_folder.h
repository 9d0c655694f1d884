// The folder of one run: DISK/strata-run-PID-XXXXXX in each folder given by --disk, or the folder that --keep
// names. All files of the run lie flat in it. It goes away with this object, whatever ended the run, but that
// of --keep stays.
//
// A killed run cannot remove its folder; the next run of the same user on the same DISK does. A folder is
// left behind when nobody holds the lock (flock) on its file `lock`, which is taken before the folder has its
// name. The number of the process says nothing: in a container the process 1 always lives, and the same
// number is another process elsewhere.
//
// The folder of --keep has such a lock as long as its run lives, so that no other run uses it.
//
// A folder that is kept holds a manifest (doc/formats.md): text that says what the run is and which files
// belong to its last consistent point. It is replaced as a whole (write, fsync, rename, fsync of the folder),
// so a killed run leaves the old one or the new one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

class RunFolder {
 public:
  // Makes the folders, and removes those that killed runs left beside them; an error says which and why.
  static Result<std::unique_ptr<RunFolder>> create(const std::vector<std::string>& disks);
  // Makes the run in exactly this folder, which is new or empty, and keeps it.
  static Result<std::unique_ptr<RunFolder>> create_kept(const std::string& folder);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::vector<std::string>& folders() const { return folders_; }

  // Removes the folders of all runs of this process that are not kept. For a signal handler that then ends the process:
  // it allocates nothing and takes no lock, and other threads may still be writing.
  static void remove_all_in_signal();

  // A small file of text in the first folder, whole and synced, or not at all.
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
