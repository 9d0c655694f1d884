// A compiled object carries a checksum of itself, because a damaged one is worse than none: code that was cut
// short ends the process, and a flipped bit gives wrong answers.
//
//   sealed = content mark size checksum    mark: 8 letters, size: of the content, 8 bytes, checksum: XXH3, 16 bytes
//
// What follows the end of an object does not disturb the loader.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"

namespace strata::native {

// Adds the seal to a file and brings it to the disk.
Status seal_file(const std::string& path);

// Whether the file can be read and is as it was when it was sealed.
bool is_sealed(const std::string& path);
// What the file was before it was sealed; nothing if it is not sealed, or damaged.
std::optional<std::string> read_sealed(const std::string& path);

}  // namespace strata::native
