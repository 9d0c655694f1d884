// Compiles generated models and keeps them. The cache is one folder (native/compile/cache_folder.h):
//
//   KEY.so     the compiled model, with a checksum (native/compile/sealed_file.h)
//   KEY.cc     its source, for debugging
//   KEY.lock   held while KEY is compiled
//   KEY.work-  a folder, while KEY is compiled: all that the compiler writes
//   KEY.gpu    kernels for a device (native/compile/kept_image.h)
//
// KEY is a hash of the source text, the compiler (path, size, time of change) and its flags. A KEY.so appears by rename
// only, and is loaded only with the right checksum; two runs that want the same KEY compile it once, the
// second waits for the first. When the cache holds more than kCacheLimit bytes, what was used longest ago is
// removed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata::native {

struct ModelSource {
  std::string text;
  unsigned parts = 1;  // that are compiled at the same time, with STRATA_PART as 0, 1 ...
  // Instead of the flags for a model of this size; what follows the source. For texts in one part.
  std::vector<std::string> flags = {}, libraries = {};
};

struct CompiledObject {
  std::string path;
  bool from_cache = false;
};

// $CXX (which may carry arguments), else c++.
std::vector<std::string> compiler_command();

// The object compiled from the source, in a folder that prepare_cache() accepts. With `fresh`, a cached
// object is not trusted but made anew. `before` is called before the compiler, if it has to run.
Result<CompiledObject> compile(const ModelSource& source, const std::string& cache_dir, bool fresh = false,
                               const std::function<void()>& before = {});

}  // namespace strata::native
