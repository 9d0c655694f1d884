// The folders that options name, checked before the work begins. A failure's message is a sentence about the folder,
// without the option's name, which the caller puts before it.
#pragma once

#include <string>

#include "base/status.h"

namespace strata {

// A folder in which this process can make files.
Status existing_folder(const std::string& path);

// A folder that such a folder can be made of: an empty one, or a new name in an existing folder.
Status new_or_empty_folder(const std::string& path);

// Whether two names of existing folders mean the same folder.
bool same_folder(const std::string& a, const std::string& b);

}  // namespace strata
