#include "block/checkpoint/reserve.h"

#include <fcntl.h>
#include <unistd.h>

namespace strata {

void Reserve::keep(uint64_t bytes) {
  if (bytes <= bytes_) return;
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file < 0) return;
  constexpr uint64_t kLeastBytes = 64 << 10;
  for (; bytes > bytes_ && bytes >= kLeastBytes; bytes /= 2)
    if (::fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0) bytes_ = bytes;
  // Where the space is not enough, some file systems keep what they found.
  if (::ftruncate(file, static_cast<off_t>(bytes_)) != 0) give_up();
  ::close(file);
}

void Reserve::give_up() {
  ::unlink(path_.c_str());
  bytes_ = 0;
}

}  // namespace strata
