// Compiles generated models and keeps them. The cache is one folder:
//
//   KEY.so   the compiled model;  KEY.cc  its source, for debugging;  KEY.lock  held while KEY is compiled
//
// KEY is a hash of the source text, the compiler (path, size, time of change) and its flags. A KEY.so appears by rename
// only, so it is whole or absent; two runs that want the same KEY compile it once, the second waits for the first.
// When the cache holds more than kCacheLimit bytes, what was used longest ago is removed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata::native {

constexpr uint64_t kCacheLimit = 512ull << 20;

struct CompiledObject {
  std::string path;
  bool from_cache = false;
};

// The cache folder by the environment: $XDG_CACHE_HOME/strata, ~/.cache/strata, or a folder in /tmp for this user.
std::string default_cache_dir();

// $CXX (which may carry arguments), else c++.
std::vector<std::string> compiler_command();

// The object compiled from `source`. With `fresh`, a cached object is not trusted but made anew.
Result<CompiledObject> compile(const std::string& source, const std::string& cache_dir, bool fresh = false);

// Removes the least recently used objects until at most `limit` bytes are left; `keep` is never removed.
void trim_cache(const std::string& cache_dir, uint64_t limit, const std::string& keep);

}  // namespace strata::native
