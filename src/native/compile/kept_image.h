// Images of kernels for a device, kept beside the compiled models: KEY.gpu, sealed (native/compile/sealed_file.h). KEY
// is 32 hexadecimal digits. They count as compiled models where the cache is trimmed or cleared.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"

namespace strata::native {

// The image with this key; nothing if there is none, or a damaged one.
std::optional<std::string> find_image(const std::string& cache_dir, const std::string& key);

// REQUIRES: a folder that prepare_cache() accepts.
Status keep_image(const std::string& cache_dir, const std::string& key, const std::string& image);

}  // namespace strata::native
