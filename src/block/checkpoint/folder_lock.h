// The lock by which one process at a time uses a folder: `flock` on a file in it, whose text says which process and
// host hold it.
#pragma once

#include <string>

#include "base/status.h"

namespace strata {

class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock() { release(); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Takes the lock of FOLDER/lock; a usage error where another process has it. `fresh`: the folder is about to hold a
  // new run, so that its lock cannot be left over from an old one.
  Status take(const std::string& folder, bool fresh);
  // Writes into the file which process this is.
  // REQUIRES: take() succeeded.
  Status sign();
  void release();

 private:
  std::string path_;
  int file_ = -1;
  bool locked_ = false;  // false: the file system has no locks
};

}  // namespace strata
