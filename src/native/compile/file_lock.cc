#include "native/compile/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/process/run_program.h"

namespace strata::native {

namespace {

// Whether the file that is open is still the one of that name: its last holder removed it.
bool is_current(int descriptor, const std::string& path) {
  struct stat open_file {
  }, named{};
  return ::fstat(descriptor, &open_file) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

}  // namespace

FileLock::FileLock(const std::string& path, Wait wait) : path_(path) {
  while (!try_once() && possible_ && wait == Wait::yes && !programs_stopped())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

bool FileLock::try_once() {
  const int descriptor = ::open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  possible_ = descriptor >= 0;
  if (!possible_) return false;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_current(descriptor, path_)) {
    descriptor_ = descriptor;
    return true;
  }
  ::close(descriptor);
  return false;
}

FileLock::~FileLock() {
  if (!held()) return;
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace strata::native
