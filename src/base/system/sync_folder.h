// A name in a folder (a file made, renamed or removed) is known to the disk when the folder is.
#pragma once

#include <string>

namespace strata {

// False, with errno, when the folder could not be brought to the disk.
bool sync_folder(const std::string& folder);

}  // namespace strata
