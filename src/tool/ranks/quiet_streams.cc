#include "tool/ranks/quiet_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace strata {

QuietStreams::~QuietStreams() {
  if (errors_ >= 0) close(errors_);
}

void QuietStreams::silence() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  errors_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

void QuietStreams::speak() {
  if (errors_ < 0) return;
  std::fflush(stderr);
  dup2(errors_, STDERR_FILENO);
}

}  // namespace strata
