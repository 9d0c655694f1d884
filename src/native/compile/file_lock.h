// An exclusive lock on a file, which goes away with this object: of several runs that want the same model one
// compiles it.
#pragma once

#include <string>

namespace strata::native {

class FileLock {
 public:
  enum class Wait { no, yes };

  // Waits for other holders, unless it is not to, or programs are stopped (base/process/run_program.h).
  FileLock(const std::string& path, Wait wait);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool held() const { return descriptor_ >= 0; }

 private:
  // False: somebody else has it.
  bool try_once();

  const std::string path_;
  int descriptor_ = -1;
  bool possible_ = true;
};

}  // namespace strata::native
