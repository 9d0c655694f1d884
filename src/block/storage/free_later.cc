#include "block/storage/free_later.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace strata {

namespace {

// Less is freed sooner than a process is started.
constexpr uint64_t kLeastBytes = 64 << 20;

uint64_t occupied_bytes(const std::vector<int>& descriptors) {
  uint64_t bytes = 0;
  for (const int descriptor : descriptors) {
    struct stat about {};
    if (::fstat(descriptor, &about) == 0) bytes += static_cast<uint64_t>(about.st_blocks) * 512;
  }
  return bytes;
}

// How long the other process waits for the end of this one. Whatever this one still does with files, removing a folder for
// example, would have to wait for what the other one frees.
constexpr int kPatienceMilliseconds = 1000;

// Keeps the files until the process at the other end of a pipe has ended, or goes on for long. Nothing else of that process may stay open
// here: somebody may be waiting for the end of its output.
[[noreturn]] void outlive(const std::vector<int>& sorted, int pipe) {
  int next = 0;
  for (const int kept : sorted) {
    if (kept > next) ::close_range(static_cast<unsigned>(next), static_cast<unsigned>(kept - 1), 0);
    next = kept + 1;
  }
  ::close_range(static_cast<unsigned>(next), ~0u, 0);
  pollfd end{pipe, POLLIN, 0};
  ::poll(&end, 1, kPatienceMilliseconds);
  ::_exit(0);
}

// Our end of the last pipe: it is closed when we end, or when there is another one.
std::atomic<int> our_end{-1};

}  // namespace

void free_later(const std::vector<int>& descriptors) {
  int pipe[2] = {-1, -1};
  if (occupied_bytes(descriptors) >= kLeastBytes && ::pipe2(pipe, O_CLOEXEC) == 0) {
    std::vector<int> kept = descriptors;
    kept.push_back(pipe[0]);
    std::sort(kept.begin(), kept.end());
    // A child of a child is nobody's to wait for. Neither allocates anything: other threads may have held a lock.
    const pid_t child = ::fork();
    if (child == 0) {
      if (::fork() == 0) outlive(kept, pipe[0]);
      ::_exit(0);
    }
    if (child > 0) ::waitpid(child, nullptr, 0);
    ::close(pipe[0]);
    if (const int before = our_end.exchange(pipe[1]); before >= 0) ::close(before);
  }
  for (const int descriptor : descriptors) ::close(descriptor);
}

}  // namespace strata
