// The Status of a failed operation on a file, from the system's error number.
#pragma once

#include <cerrno>
#include <string>

#include "base/status.h"

namespace strata {

// What hinders a file from growing is StatusCode::disk_full, everything else StatusCode::system. The message
// names the file, the operation and the system's reason.
inline Status file_error(const std::string& message, int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT: return Status::disk_full("the disk is full: " + message);
    case EFBIG:
      return Status::disk_full("a file may not grow further (ulimit -f): " + message, Reason::file_size);
    default: return Status::system(message);
  }
}

}  // namespace strata
