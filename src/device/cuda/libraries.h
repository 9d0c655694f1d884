// CUDA's two libraries, loaded while Strata runs: the driver, which comes with the graphics driver, and
// NVRTC, the compiler, which comes with CUDA or as a package of Python. So building Strata needs nothing of
// CUDA, and a machine without a GPU runs the same program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata::device {

struct DriverLibrary {
#define FUNCTION(member, symbol, parameters) int(*member) parameters = nullptr;
#include "device/cuda/driver_functions.def"
#undef FUNCTION
  std::string path;
};

struct CompilerLibrary {
#define FUNCTION(member, symbol, parameters) int(*member) parameters = nullptr;
#include "device/cuda/compiler_functions.def"
#undef FUNCTION
  std::string path;
};

// Where a library is looked for, in this order: names for the system's loader, and files with wildcards.
struct LibraryPlaces {
  std::vector<std::string> driver, compiler;
};
using Environment = std::function<const char*(const char* name)>;
// By the environment: $STRATA_CUDA (a folder, before all others), the loader's own search, $CUDA_HOME, $CUDA_PATH,
// /usr/local/cuda*, and the packages of Python (the active environment, the user's, the system's).
LibraryPlaces library_places(const Environment& environment);
LibraryPlaces library_places();  // of this process

// Loads a library with all of its functions. They stay loaded until the process ends. Fails with the places that were
// looked at, or with the function that a library lacks because it is too old.
Result<DriverLibrary> load_driver(const std::vector<std::string>& places);
Result<CompilerLibrary> load_compiler(const std::vector<std::string>& places);

}  // namespace strata::device
