// The folder of compiled models. What lies in it is run, so it belongs to the user alone: it is made with the
// rights 0700, and refused when it is a link, belongs to another user, or when others may write to it.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace strata::native {

constexpr uint64_t kCacheLimit = 512ull << 20;

// By the environment: $XDG_CACHE_HOME/strata, ~/.cache/strata, or the private folder.
std::string default_cache_dir();

// Makes the folder, or checks it. StatusCode::usage where it is refused, StatusCode::system where it cannot
// be made or written to.
Status prepare_cache(const std::string& folder);

struct CacheFolder {
  std::string path;
  std::string note;  // what the user should know; empty: nothing
};
// The folder by the environment. Where that cannot be written to, one for this user in $TMPDIR or /tmp; a
// note says so. A folder that is refused is an error.
Result<CacheFolder> open_cache();

// Removes what killed runs left, and the least recently used objects until at most `limit` bytes are left;
// `keep` is never removed. Files and folders whose names are not of our own form stay.
void trim_cache(const std::string& folder, uint64_t limit, const std::string& keep);

// What lies in a folder of compiled models.
struct CacheContent {
  uint64_t models = 0;
  uint64_t bytes = 0;
};
CacheContent cache_content(const std::string& folder);

// Removes the objects and their sources, but those that are just being compiled, and what killed runs left.
Status clear_cache(const std::string& folder);

// Removes a folder in which a model was being compiled.
void remove_work(const std::string& stem);
std::string work_folder(const std::string& stem);

}  // namespace strata::native
