// The folder of one run: DISK/strata-run-PID-XXXXXX in each folder given by --disk. All files of the run lie in it, and
// it goes away with this object, whatever ended the run, unless it is to be kept.
//
// The first folder holds a manifest (doc/formats.md): text that says what the run is and which files belong to its last
// consistent point. It is replaced as a whole (write, fsync, rename, fsync of the folder), so a killed run leaves the
// old one or the new one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

class RunFolder {
 public:
  // Makes the folders; an error says which and why.
  static Result<std::unique_ptr<RunFolder>> create(const std::vector<std::string>& disks);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::vector<std::string>& folders() const { return folders_; }
  void keep() { kept_ = true; }

  // A small file of text in the first folder, whole and synced, or not at all.
  Status write_file(const std::string& name, const std::string& text);
  Status write_manifest(const std::string& text);
  static Result<std::string> read_manifest(const std::string& folder);

 private:
  RunFolder() = default;

  std::vector<std::string> folders_;
  bool kept_ = false;
};

}  // namespace strata
