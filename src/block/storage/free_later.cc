#include "block/storage/free_later.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "base/locks/mutex.h"

namespace strata {

namespace {

// Freeing less than this takes less time than starting a process.
constexpr uint64_t kLeastBytes = 64 << 20;
// How long the other process waits for the end of this one: freeing files would hold up the last work that this process
// does with files.
constexpr int kPatienceMs = 1000;

Mutex mutex;
std::vector<int> retired GUARDED_BY(mutex);

uint64_t occupied_bytes(const std::vector<int>& descriptors) {
  uint64_t bytes = 0;
  for (const int descriptor : descriptors) {
    struct stat about {};
    if (::fstat(descriptor, &about) == 0) bytes += static_cast<uint64_t>(about.st_blocks) * 512;
  }
  return bytes;
}

// Keeps the files until the process at the other end of a pipe has ended. No other file of that process may stay open
// here, because a reader may wait for the end of its output.
[[noreturn]] void outlive(const std::vector<int>& sorted, int pipe) {
  unsigned next = 0;
  for (const int descriptor : sorted) {
    const auto kept = static_cast<unsigned>(descriptor);
    if (kept > next && ::close_range(next, kept - 1, 0) != 0) ::_exit(0);
    next = kept + 1;
  }
  if (::close_range(next, ~0u, 0) != 0) ::_exit(0);
  pollfd end{pipe, POLLIN, 0};
  ::poll(&end, 1, kPatienceMs);
  ::_exit(0);
}

}  // namespace

void free_later(const std::vector<int>& descriptors) {
  const MutexLock lock(mutex);
  retired.insert(retired.end(), descriptors.begin(), descriptors.end());
}

void free_now() {
  const MutexLock lock(mutex);
  for (const int descriptor : std::exchange(retired, {})) ::close(descriptor);
}

void free_after_the_end() {
  const MutexLock lock(mutex);
  int pipe[2];
  if (occupied_bytes(retired) < kLeastBytes || ::pipe2(pipe, O_CLOEXEC) != 0) return;
  std::vector<int> kept;
  try {
    kept = retired;
    kept.push_back(pipe[0]);
  } catch (const std::bad_alloc&) {
    return;
  }
  std::sort(kept.begin(), kept.end());
  // This process need not wait for a child of its child. Neither child allocates memory, because another thread may
  // have held a lock of the allocator. This process's end of the pipe is closed when it ends.
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() == 0) outlive(kept, pipe[0]);
    ::_exit(0);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

}  // namespace strata
