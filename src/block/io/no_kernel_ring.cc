// Stands in for kernel_ring.cc in a build without liburing (cmake/folders.cmake).
#include "block/io/ring.h"

namespace strata {

Result<std::unique_ptr<Ring>> make_kernel_ring() {
  return Status::system("this program was built without liburing");
}

}  // namespace strata
