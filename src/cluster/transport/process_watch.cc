#include "cluster/transport/process_watch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

namespace strata::cluster {
namespace {

// Two processes with the same value see the same processes under the same numbers: the boot of a kernel, and a
// namespace in it.
std::string numbering() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  struct stat names {};
  if (boot.empty() || ::stat("/proc/self/ns/pid", &names) != 0) return {};
  return boot + ":" + std::to_string(names.st_ino);
}

int open_process(int pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace

std::string process_address() { return numbering() + " " + std::to_string(::getpid()); }

ProcessWatch::~ProcessWatch() {
  for (const pollfd& watched : watched_) ::close(watched.fd);
}

void ProcessWatch::watch(int rank, const std::string& address) {
  const size_t space = address.rfind(' ');
  if (space == std::string::npos || space == 0 || address.substr(0, space) != numbering()) return;
  const int pid = std::atoi(address.c_str() + space + 1);
  if (pid <= 0 || pid == ::getpid()) return;
  const int descriptor = open_process(pid);
  if (descriptor < 0 && errno == ESRCH) gone_ = rank;
  if (descriptor < 0) return;
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  watched_.push_back({descriptor, POLLIN, 0});
  ranks_.push_back(rank);
}

std::optional<int> ProcessWatch::ended() {
  if (gone_) return gone_;
  if (watched_.empty() || ::poll(watched_.data(), watched_.size(), 0) <= 0) return {};
  for (size_t i = 0; i < watched_.size(); ++i)
    if (watched_[i].revents != 0) return ranks_[i];
  return {};
}

}  // namespace strata::cluster
