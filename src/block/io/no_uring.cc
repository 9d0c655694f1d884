// Stands in for uring_engine.cc in a build without liburing (cmake/folders.cmake).
#include "base/status.h"
#include "block/io/io_engine.h"

namespace strata {

Result<std::unique_ptr<IoEngine>> make_uring_engine() {
  return Status::system("this program was built without liburing");
}

}  // namespace strata
